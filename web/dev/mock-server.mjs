// A scripted stand-in for the server: same endpoints, made-up answers, no data. It serves dist/ as the server does.
// Questions with certain words do certain things: "slow", "drop" (the connection breaks off), "fail".
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { agents, minutes, models, readiness } from './mock/agents.mjs';
import { answerTo } from './mock/answers.mjs';
import { begin, cancel, feedback, resume, runs, threads } from './mock/runs.mjs';

const dist = new URL('../dist', import.meta.url).pathname;
const port = Number(process.env.PORT ?? 8080);
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const json = (response, body, status = 200) => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(status === 204 ? undefined : JSON.stringify(body));
};

const problem = (response, status, code, message) => json(response, { error: { code, message, hint: '', request_id: 'mock' }, detail: message }, status);

const stream = (response, run, after) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  let sent = after;
  const send = () => {
    while (sent < run.events.length) {
      const { id, event, data } = run.events[sent++];
      response.write(`id: ${run.run_id.slice(0, 4)}.${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      if (run.drops && id === 9) {
        run.drops = false;
        run.watchers.delete(send);
        response.destroy();
        return;
      }
      if (event === 'done' || event === 'error') {
        run.watchers.delete(send);
        response.end();
      }
    }
  };
  run.watchers.add(send);
  response.on('close', () => run.watchers.delete(send));
  response.write(': hello\n\n');
  send();
};

const thousand = () => Array.from({ length: 500 }, (_, at) => ({ question: `Question ${at + 1}: how many players are there?`, answer: answerTo('', 'nba') }));

const runningOn = (thread) => [...runs.values()].find((run) => run.thread_id === thread.thread_id && run.status === 'running');

const history = (thread) => ({
  ...(runningOn(thread) ? { running: (({ run_id, question, agent }) => ({ run_id, question, agent }))(runningOn(thread)) } : {}),
  messages: thread.turns.flatMap(({ question, answer }) => [{ role: 'human', content: question }, { role: 'ai', content: answer.answer }]),
  overrides: { override_schema: null, override_direction: null, override_mode: null },
  turn_summaries: thread.turns.map(({ answer }) => ({ queries: [], answer })),
  agent: '',
});

const runJson = (run) => {
  let at = 0;
  const nodes = (run.trace ?? []).map((step) => {
    const start = at;
    at += step.latency_ms;
    return { node: step.node, status: step.status, attempt: step.attempt, start_ms: start, duration_ms: step.latency_ms, detail: { step: step.node } };
  });
  const { run_id, thread_id, agent, question, status, started_at } = run;
  return { run_id, thread_id, agent: agent || 'nba', workflow: 'reflective', question, status, started_at, duration_ms: at, nodes };
};

const body = async (request) => {
  let text = '';
  for await (const piece of request) text += piece;
  return text === '' ? {} : JSON.parse(text);
};

const asFile = (thread, format) =>
  format === 'json' ? JSON.stringify(history(thread)) : thread.turns.map((turn) => `## ${turn.question}\n\n${turn.answer.answer}\n`).join('\n');

const routes = [
  ['GET', /^\/api\/agents$/, ({ response }) => json(response, agents)],
  ['GET', /^\/api\/models$/, ({ response }) => json(response, models)],
  ['GET', /^\/ready$/, ({ response }) => json(response, readiness)],
  ['GET', /^\/api\/threads$/, ({ response, session }) => json(response, [...threads.values()].filter((each) => each.session === session).sort((a, b) => b.updated_at.localeCompare(a.updated_at)).map(({ turns: _, ...rest }) => rest))],
  ['GET', /^\/api\/threads\/([^/]+)\/messages$/, ({ response, id }) => {
    if (id === 'thousand') return json(response, history({ turns: thousand() }));
    const thread = threads.get(id);
    return thread && (thread.turns.length || runningOn(thread)) ? json(response, history(thread)) : problem(response, 404, 'not_found', 'There is no such conversation.');
  }],
  ['GET', /^\/api\/threads\/([^/]+)\/export$/, ({ response, id, url }) => response.end(asFile(threads.get(id), url.searchParams.get('format')))],
  ['PATCH', /^\/api\/threads\/([^/]+)$/, async ({ request, response, id }) => {
    threads.get(id).title = (await body(request)).title;
    json(response, {}, 200);
  }],
  ['DELETE', /^\/api\/threads\/([^/]+)$/, ({ response, id }) => {
    threads.delete(id);
    json(response, null, 204);
  }],
  ['POST', /^\/api\/chat\/stream$/, async ({ request, response, session }) => stream(response, begin(session, await body(request)), 0)],
  ['GET', /^\/api\/runs$/, ({ response, session }) => json(response, [...runs.values()].filter((run) => run.session === session).reverse().map(runJson))],
  ['GET', /^\/api\/runs\/([^/]+)$/, ({ response, id }) => (runs.has(id) ? json(response, runJson(runs.get(id))) : problem(response, 404, 'not_found', 'There is no such run.'))],
  ['GET', /^\/api\/runs\/([^/]+)\/events$/, ({ request, response, id }) => (runs.has(id) ? stream(response, runs.get(id), Number((request.headers['last-event-id'] ?? '.0').split('.')[1])) : problem(response, 404, 'not_found', 'There is no such run.'))],
  ['POST', /^\/api\/runs\/([^/]+)\/resume$/, async ({ request, response, id }) => {
    const run = runs.get(id);
    const seen = run.events.length;
    resume(run, (await body(request)).answer);
    stream(response, run, seen);
  }],
  ['POST', /^\/api\/runs\/([^/]+)\/cancel$/, ({ response, id }) => {
    cancel(runs.get(id));
    json(response, {});
  }],
  ['GET', /^\/api\/feedback$/, ({ response, url }) => json(response, feedback.filter((entry) => entry.thread_id === url.searchParams.get('thread_id')))],
  ['POST', /^\/api\/feedback$/, async ({ request, response }) => {
    const entry = { id: String(feedback.length + 1), ...(await body(request)) };
    feedback.push(entry);
    json(response, entry, 201);
  }],
  ['GET', /^\/api\/corpora\/[^/]+\/documents\/(.+)$/, ({ response }) => json(response, minutes)],
];

const serveFile = (path, response) => {
  const wanted = join(dist, normalize(path));
  const isFile = wanted.startsWith(dist) && existsSync(wanted) && statSync(wanted).isFile();
  const file = isFile ? wanted : join(dist, 'index.html');
  response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': policy });
  createReadStream(file).pipe(response);
};

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://mock');
  for (const [method, pattern, handle] of routes) {
    const found = pattern.exec(url.pathname);
    if (!found || request.method !== method) continue;
    void handle({ request, response, url, id: decodeURIComponent(found[1] ?? ''), session: request.headers['x-session-id'] ?? '' });
    return;
  }
  if (url.pathname.startsWith('/api/')) problem(response, 404, 'not_found', 'There is no such endpoint.');
  else serveFile(url.pathname, response);
});

server.listen(port, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
