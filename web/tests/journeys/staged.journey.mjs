import assert from 'node:assert/strict';
import { answered, ask, checkAccess, entry, question, shot, stagedJourney } from './support.mjs';

const shops = 'How many shops are there?';

const begin = async (page) => {
  await page.goto('/chat');
  await question(page).fill(shops);
  await question(page).press('Enter');
  const running = entry(page, shops);
  await running.getByText('Writing the answer').waitFor();
  return running;
};

const expectOneAnswer = async (page) => {
  const found = await answered(page, shops);
  assert.equal((await found.locator('.prose').innerText()).match(/There are 2 shops\./g).length, 1);
  assert.equal(await page.getByRole('article').count(), 1);
  await found.getByRole('button', { name: /How I found this/ }).click();
  assert.match(await found.getByLabel('Statement').innerText(), /SELECT count/);
};

stagedJourney('a server that is killed in the middle of an answer and started again finishes it on the same page', async (page, stage) => {
  stage.model.hold('analyze_data');
  await begin(page);
  await shot(page, 'streaming');
  await stage.killServer();
  await page.getByText(/The connection broke off/).waitFor();
  await shot(page, 'reconnecting');
  stage.model.letGo('analyze_data');
  await stage.startServer();
  await expectOneAnswer(page);
  await page.reload();
  await expectOneAnswer(page);
});

stagedJourney('a broken connection is taken up again and nothing is lost or doubled', async (page, stage) => {
  stage.model.hold('analyze_data');
  await begin(page);
  const again = page.waitForRequest((request) => /\/api\/runs\/[^/]+\/events$/.test(request.url()));
  stage.line.cut();
  assert.match((await again).headers()['last-event-id'], /\.\d+$/);
  stage.model.letGo('analyze_data');
  await expectOneAnswer(page);
});

stagedJourney('an answer that is worked on can be stopped and asked again', async (page, stage) => {
  stage.model.hold('analyze_data');
  const running = await begin(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await running.getByText('Stopped. What was found so far is kept.').waitFor();
  stage.model.letGo('analyze_data');
  await running.getByRole('button', { name: 'Ask again', exact: true }).click();
  await answered(page, shops);
});

stagedJourney('a failure says what happened and can be tried again', async (page, stage) => {
  stage.model.refuse('generate_sql');
  await page.goto('/chat');
  await question(page).fill(shops);
  await question(page).press('Enter');
  const alert = page.getByRole('alert');
  await alert.getByText(/Incorrect API key provided/).first().waitFor();
  await checkAccess(page, 'a failure');
  await shot(page, 'failure');
  stage.model.refuse('');
  await page.getByRole('button', { name: 'Try again' }).click();
  await answered(page, shops);
});

stagedJourney('two pages watch the same answer', async (page, stage) => {
  stage.model.hold('analyze_data');
  await begin(page);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await entry(other, shops).getByText('Writing the answer').waitFor();
  stage.model.letGo('analyze_data');
  for (const each of [page, other]) await expectOneAnswer(each);
});

stagedJourney('what a model costs stands beside the answer', async (page) => {
  await page.goto('/chat');
  const found = await ask(page, shops);
  await found.getByText(/6 model calls/).waitFor();
});
