import assert from 'node:assert/strict';
import { answered, ask, entry, journey, positions, question, scriptedJourney } from './support.mjs';

journey('a page that is loaded anew in the middle of an answer shows it to the end', async (page) => {
  await page.goto('/chat');
  await question(page).fill(`${positions} Be slow.`);
  await question(page).press('Enter');
  await page.waitForURL(/\/chat\/[^/?]+$/);
  await page.reload();
  const found = await answered(page, `${positions} Be slow.`);
  assert.ok((await found.locator('.prose').innerText()).length > 20);
  assert.equal(await page.getByRole('article').count(), 1);
});

scriptedJourney('steps are shown while an answer is worked on, and it can be stopped', async (page) => {
  await page.goto('/chat');
  await question(page).fill('Be slow about the games');
  await question(page).press('Enter');
  const running = entry(page, 'Be slow about the games');
  await running.getByText(/working/).first().waitFor({ state: 'attached' });
  await running.getByText(/Sentence 1 of/).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await running.getByText('Stopped. What was found so far is kept.').waitFor();
  await running.getByText(/Sentence 1 of/).waitFor();
  await running.getByRole('button', { name: 'Ask again', exact: true }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Stopped. What was found so far is kept.').waitFor();
});

scriptedJourney('a reader who has scrolled away stays where they are while an answer grows', async (page) => {
  await page.goto('/chat');
  await ask(page, positions);
  await ask(page, 'How many games were played each season?');
  await question(page).fill('Be slow');
  await question(page).press('Enter');
  await entry(page, 'Be slow').getByText(/Sentence 2 of/).waitFor();
  const log = page.getByRole('log');
  await log.evaluate((element) => (element.scrollTop = 0));
  await entry(page, 'Be slow').getByText(/Sentence 9 of/).waitFor();
  assert.equal(await log.evaluate((element) => element.scrollTop), 0);
  await page.getByRole('button', { name: 'Latest' }).click();
  await page.waitForFunction(() => document.querySelector('[role=log]').scrollTop > 0);
});

scriptedJourney('of a thousand messages only those in sight are drawn', async (page) => {
  await page.goto('/chat/thousand');
  await entry(page, /^Question 500:/).waitFor();
  const drawn = await page.getByRole('article').count();
  assert.ok(drawn < 20, `${drawn} entries are drawn`);
  const log = page.getByRole('log');
  await log.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await page.waitForFunction(() => [...document.querySelectorAll('article')].some((each) => /^Question 2\d\d:/.test(each.innerText.split('\n').find((line) => line.startsWith('Question')) ?? '')));
  assert.ok((await page.getByRole('article').count()) < 30);
});
