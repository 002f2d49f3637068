import assert from 'node:assert/strict';
import { agentsOf, ambiguous, answered, ask, checkAccess, entry, journey, positions, question, shot } from './support.mjs';

journey('from the first page to an answer, its chart, its table and its SQL', async (page) => {
  await page.goto('/');
  await page.getByRole('heading', { name: /Every figure/ }).waitFor();
  await page.getByRole('region', { name: 'nba' }).waitFor();
  await checkAccess(page, 'the first page');
  await shot(page, 'landing');

  await page.getByRole('textbox', { name: 'Question' }).fill(positions);
  await page.getByRole('textbox', { name: 'Question' }).press('Enter');
  const found = await answered(page, positions);
  await page.waitForURL(/\/chat\/[^/?]+$/);
  await found.getByRole('img', { name: /Bar chart/ }).waitFor();
  await found.getByText(/\d+ of \d+ facts traced/).waitFor();
  await checkAccess(page, 'an answer with a chart');
  await shot(page, 'answer');

  await found.getByRole('radio', { name: 'Table' }).check({ force: true });
  await found.getByRole('columnheader', { name: /count/ }).getByRole('button').click();
  assert.equal(await found.getByRole('columnheader', { name: /count/ }).getAttribute('aria-sort'), 'ascending');
  const counts = await found.locator('tbody td.numeric').allTextContents();
  assert.deepEqual(counts, [...counts].sort((a, b) => Number(a) - Number(b)));

  await shot(page, 'table');
  const download = page.waitForEvent('download');
  await found.getByRole('button', { name: 'Download as CSV' }).click();
  assert.match((await download).suggestedFilename(), /^how-many-players.*\.csv$/);

  await found.getByRole('radio', { name: 'Chart' }).check({ force: true });
  for (const format of ['PNG', 'SVG']) {
    const picture = page.waitForEvent('download');
    await found.getByRole('button', { name: format }).click();
    assert.match((await picture).suggestedFilename(), new RegExp(`\\.${format.toLowerCase()}$`));
  }

  await found.getByRole('button', { name: /How I found this/ }).click();
  assert.match(await found.getByLabel('Statement').innerText(), /SELECT/);
  assert.ok((await found.getByRole('list', { name: 'Steps' }).getByRole('listitem').count()) >= 3);
  await shot(page, 'working');
});

journey('a figure shows the cell that it comes from', async (page) => {
  await page.goto('/chat');
  const found = await ask(page, positions);
  const figure = found.locator('.claim').filter({ hasText: /^\d+$/ }).first();
  await figure.hover();
  await page.getByRole('tooltip').getByText(/row \d/).waitFor();
  await shot(page, 'grounding');
  await figure.click();
  assert.equal(await found.locator('td.flash').innerText(), await figure.innerText());
});

journey('a question that could mean several things is asked back, and the choice answered', async (page) => {
  await page.goto('/chat');
  await question(page).fill(ambiguous);
  await question(page).press('Enter');
  const asked = entry(page, ambiguous);
  const options = asked.getByRole('region', { name: 'Which do you mean?' }).getByRole('listitem');
  await options.first().waitFor();
  await checkAccess(page, 'a question back');
  await shot(page, 'clarification');

  await page.reload();
  await options.first().waitFor();
  await options.nth(1).getByRole('button').click();
  await answered(page, ambiguous);
  assert.equal(await page.getByRole('article').count(), 1);
});

journey('a follow-up goes into the same conversation', async (page) => {
  await page.goto('/chat');
  const first = await ask(page, positions);
  const suggestion = first.getByRole('region', { name: 'Next questions' }).getByRole('button').first();
  const words = await suggestion.innerText();
  const address = page.url();
  await suggestion.click();
  await entry(page, words).waitFor();
  assert.equal(page.url(), address);
  assert.equal(await page.getByRole('article').count(), 2);
});

journey('a citation opens its document at the passage', async (page) => {
  await page.goto('/chat');
  const agent = (await agentsOf(page)).find((each) => each.workflow === 'cited' && each.available !== false);
  if (!agent) return;
  await page.goto(`/chat?q=${encodeURIComponent(agent.examples[0])}&agent=${agent.name}`);
  const found = await answered(page, agent.examples[0]);
  await found.getByRole('button', { name: 'Source 1', exact: true }).first().click();
  const panel = page.getByRole('complementary', { name: 'Source document' });
  await panel.locator('mark').first().waitFor();
  assert.ok((await panel.locator('mark').first().innerText()).length > 10);
  const [whole, passage] = await Promise.all([panel.innerText(), panel.locator('mark').first().innerText()]);
  assert.ok(whole.length > 2 * passage.length, 'the whole document is shown');
  await checkAccess(page, 'an open document');
  await shot(page, 'citation');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

journey('a question can be changed and asked again', async (page) => {
  await page.goto('/chat');
  const found = await ask(page, positions);
  await found.getByRole('heading', { name: positions }).hover();
  await found.getByRole('button', { name: /Change the question/ }).click();
  await found.getByLabel('Changed question').fill('How many games were played each season?');
  await found.getByLabel('Changed question').press('Enter');
  await answered(page, 'How many games were played each season?');
});

journey('an answer is rated', async (page) => {
  await page.goto('/chat');
  const found = await ask(page, positions);
  await found.getByRole('button', { name: 'Good answer' }).click();
  await found.getByLabel('Comment on this answer').fill('Just what I wanted');
  await found.getByRole('button', { name: 'Send', exact: true }).click();
  await found.getByText('Noted, thank you.').waitFor();
  await page.reload();
  await page.locator('[aria-pressed="true"]').waitFor();
});
