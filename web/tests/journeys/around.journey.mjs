import assert from 'node:assert/strict';
import { answered, ask, checkAccess, entry, journey, positions, question, scriptedJourney, shot } from './support.mjs';

const index = (page) => page.getByRole('navigation', { name: 'Conversations' });

journey('conversations are listed, found, renamed, deleted and brought back', async (page) => {
  await page.goto('/chat');
  await ask(page, positions);
  const row = index(page).getByRole('link');
  await row.waitFor();
  await row.hover();
  await index(page).getByRole('button', { name: /^Rename/ }).click();
  await page.getByLabel('Title of the conversation').fill('About positions');
  await page.keyboard.press('Enter');
  await index(page).getByRole('link', { name: 'About positions' }).waitFor();

  await page.reload();
  await index(page).getByRole('link', { name: 'About positions' }).waitFor();
  await answered(page, positions);

  await page.getByLabel('Search conversations').fill('nothing like it');
  await page.getByText('Nothing is called').waitFor();
  await page.getByLabel('Search conversations').fill('posi');
  await index(page).getByRole('link', { name: 'About positions' }).hover();
  await index(page).getByRole('button', { name: /^Delete/ }).click();
  await page.getByText('“About positions” is deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await index(page).getByRole('link', { name: 'About positions' }).hover();
  await index(page).getByRole('button', { name: /^Delete/ }).click();
  await page.waitForURL(/\/chat$/);
  await page.reload();
  await page.getByText('Conversations that you begin are listed here.').waitFor();
});

journey('a conversation of somebody else is not there', async (page) => {
  await page.goto('/chat/00000000-0000-4000-8000-000000000000');
  await page.getByRole('alert').waitFor();
});

journey('a run can be looked at step by step', async (page) => {
  await page.goto('/chat');
  const found = await ask(page, positions);
  await found.getByRole('link', { name: 'trace' }).click();
  await page.waitForURL(/\/runs\/.+/);
  const steps = page.getByRole('list', { name: 'Steps of the run' }).getByRole('listitem');
  await steps.first().waitFor();
  assert.ok((await steps.count()) >= 3);
  await checkAccess(page, 'a trace');
  await shot(page, 'trace');
  await page.getByRole('link', { name: 'All runs' }).click();
  // A run goes by its question, or by the title of its conversation, which has no mark at its end.
  await page.getByRole('link', { name: positions.replace('?', '') }).first().waitFor();
  await checkAccess(page, 'the runs');
  await shot(page, 'runs');
  await page.goBack();
  await page.getByRole('link', { name: 'conversation', exact: true }).click();
  await answered(page, positions);
});

journey('dark is dark, and stays so', async (page) => {
  await page.goto('/chat');
  await ask(page, positions);
  await page.getByRole('button', { name: /^Appearance/ }).click();
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'dark');
  await page.reload();
  assert.equal(await theme(), 'dark');
  const found = await answered(page, positions);
  await found.getByRole('img', { name: /chart/i }).waitFor();
  await checkAccess(page, 'an answer in the dark');
  await shot(page, 'dark');
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  await page.getByText('The server is ready.').waitFor();
  await checkAccess(page, 'the settings in the dark');
  await shot(page, 'settings');
  await page.getByRole('radio', { name: 'Light' }).check({ force: true });
  assert.equal(await theme(), 'light');
});

journey('the colours of the system are followed', async (page) => {
  await page.goto('/chat');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
}, { colorScheme: 'dark' });

journey('on a telephone the index lies over the page', async (page) => {
  await page.goto('/chat');
  await ask(page, positions);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 390, `the page is ${width} wide`);
  await page.getByRole('log').evaluate((element) => (element.scrollTop = 0));
  await shot(page, 'mobile');
  assert.equal(await index(page).isVisible(), false);
  await page.getByRole('button', { name: 'Open the index' }).click();
  await index(page).waitFor();
  await checkAccess(page, 'the index on a telephone');
  await shot(page, 'mobile-index');
  await page.keyboard.press('Escape');
  await index(page).waitFor({ state: 'hidden' });
  await page.goto('/');
  await page.getByRole('heading', { name: /Every figure/ }).waitFor();
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  await shot(page, 'mobile-landing');
}, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

journey('everything can be done without a mouse', async (page) => {
  await page.goto('/chat');
  await question(page).waitFor();
  await page.getByRole('link', { name: 'New conversation' }).focus();
  await page.keyboard.press('/');
  await page.keyboard.type(positions);
  await page.keyboard.press('Enter');
  const found = await answered(page, positions);

  await found.getByRole('button', { name: /How I found this/ }).focus();
  await page.keyboard.press('Enter');
  await found.getByLabel('Statement').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowUp');
  assert.equal(await question(page).inputValue(), positions);

  await page.getByRole('combobox', { name: 'Agent' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.match(await page.getByRole('combobox', { name: 'Agent' }).innerText(), /nba/);

  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the page');
});

journey('an address that leads nowhere says so', async (page) => {
  await page.goto('/nowhere/at/all');
  await page.getByText('There is no such page.').waitFor();
});

scriptedJourney('questions about trade can be held to goods or services', async (page) => {
  await page.goto('/chat?q=What+does+Kenya+export%3F&agent=atlas');
  const found = await answered(page, 'What does Kenya export?');
  await page.getByRole('radio', { name: 'Services' }).check({ force: true });
  assert.equal(await page.getByRole('group', { name: 'Classified by' }).count(), 0);
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/chat/stream'));
  await question(page).fill('And its imports?');
  await question(page).press('Enter');
  assert.equal((await sent).postDataJSON().override_mode, 'services');
  await answered(page, 'And its imports?');
  await found.getByRole('link', { name: /Kenya: country page/ }).waitFor();
  await checkAccess(page, 'trade settings');
  await shot(page, 'trade');
  await entry(page, 'And its imports?').getByRole('button', { name: /How I found this/ }).click();
  await page.getByLabel('API query').waitFor();
});
