// What every journey needs: a browser, a server, and eyes for what must never happen.
//   QUAESTOR_URL      the server to visit; without it a scripted one is started over dist/
//   QUAESTOR_PROGRAM  the program, for journeys that stage what the server at QUAESTOR_URL never meets; else they are left out
//   SCREENSHOTS       a folder for pictures of the main views
//   CHROMIUM          the browser, /usr/bin/chromium if not said
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { Stage } from './stage.mjs';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = process.env.SCREENSHOTS ?? '';
const program = process.env.QUAESTOR_PROGRAM ?? '';
const desktop = { width: 1440, height: 900 };
/** Long enough for two cores that have other things to do. */
const walkMs = 120_000;
/** Starting a sanitized program takes a while. */
const stagedWalkMs = 240_000;

let server = null;
let scriptedUrl = null;
let stage = null;
let browser = null;

const startServer = () =>
  new Promise((resolve, reject) => {
    const script = new URL('../../dev/mock-server.mjs', import.meta.url).pathname;
    server = spawn(process.execPath, [script], { env: { ...process.env, PORT: '0', MOCK_PACE_MS: '12' }, stdio: ['ignore', 'pipe', 'inherit'] });
    server.stdout.once('data', (line) => resolve(JSON.parse(String(line)).url));
    server.once('exit', () => reject(new Error('The scripted server ended.')));
  });

/** The scripted server, started when it is first needed. */
const scripted = () => (scriptedUrl ??= startServer());
const visited = () => process.env.QUAESTOR_URL ?? scripted();

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  await stage?.stop();
  server?.removeAllListeners('exit');
  server?.kill();
});

/** Requests to anybody else, errors in the console and refusals of the content security policy all fail a journey. */
const watch = (page, base, problems) => {
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !/^(data|blob):/.test(url)) problems.push(`request to ${url}`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    const isExpected = /Failed to load resource|net::ERR_/.test(message.text());
    if (message.type() === 'error' && !isExpected) problems.push(message.text());
  });
};

/** In a fresh browser context: a person who has never been here. */
const walkIn = async (base, options, walk) => {
  const context = await browser.newContext({ baseURL: base, viewport: desktop, acceptDownloads: true, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(walkMs / 3);
  const problems = [];
  watch(page, base, problems);
  try {
    await walk(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
};

export const journey = (name, walk, options = {}) => test(name, { timeout: walkMs }, async () => walkIn(await visited(), options, walk));

/** For what only a script can do on demand. */
export const scriptedJourney = (name, walk, options = {}) => test(name, { timeout: walkMs }, async () => walkIn(await scripted(), options, walk));

/** Through the real server on a stage of its own, which the journeys of a file share. */
export const stagedJourney = (name, walk, options = {}) =>
  test(name, { skip: program === '' && 'needs QUAESTOR_PROGRAM', timeout: stagedWalkMs }, async () => {
    if (!stage) await (stage = new Stage(program)).start();
    await walkIn(stage.url, options, (page) => walk(page, stage));
  });

export const shot = async (page, name) => {
  if (folder === '') return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

/** No serious finding of axe-core. */
export const checkAccess = async (page, where) => {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = violations.filter((each) => each.impact === 'serious' || each.impact === 'critical');
  const words = serious.map((each) => `${each.id}: ${each.help}: ${each.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  assert.deepEqual(words, [], `accessibility of ${where}`);
};

export const question = (page) => page.getByRole('textbox', { name: 'Question', exact: true });
export const entry = (page, words) => page.getByRole('article', { name: words });
/** An entry that has been answered. */
export const answered = async (page, words) => {
  const found = entry(page, words).last();
  await found.getByRole('button', { name: 'Copy the answer' }).waitFor();
  return found;
};

export const ask = async (page, words) => {
  await question(page).fill(words);
  await question(page).press('Enter');
  return answered(page, words);
};

export const agentsOf = (page) => page.evaluate(() => fetch('/api/agents').then((response) => response.json()));

export const positions = 'How many players are there in each position?';
export const ambiguous = 'Who is the best player?';
