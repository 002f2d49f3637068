// The real server in situations that its demo data never makes: over a small table, with a scripted language model that
// waits or refuses when a journey says so, and behind a line that can be cut.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer as createLine } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const replies = {
  clarify_query: { reasoning: '', intent: 'clear', reason: '', options: [] },
  plan_query: { reasoning: '', complexity: 'simple', sub_queries: [], combination_strategy: 'synthesize' },
  select_tables: { reasoning: '', tables: ['shop'] },
  generate_sql: { thinking: '', sql: 'SELECT count(*) AS shops FROM shop', assumptions: [] },
  analyze_data: { answer: 'There are 2 shops.', method: 'I counted them.' },
  grade_response: { reasoning: '', passed: true, confidence: 0.9, issues: [], suggestions: [] },
};

const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

const freePort = async () => {
  const server = createLine();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const bodyOf = async (request) => {
  let text = '';
  for await (const piece of request) text += piece;
  return JSON.parse(text);
};

/** A model of an OpenAI-compatible provider: answers each prompt as written above. */
class Model {
  #held = new Map();
  #refused = '';
  #server = createHttpServer((request, response) => void this.#answer(request, response));

  start = () => listen(this.#server);
  stop = () => this.#server.close();

  /** From now on `prompt` gets no answer until it is let go. */
  hold(prompt) {
    let letGo;
    const gate = new Promise((resolve) => (letGo = resolve));
    this.#held.set(prompt, { gate, letGo });
  }
  letGo(prompt) {
    this.#held.get(prompt)?.letGo();
    this.#held.delete(prompt);
  }
  refuse(prompt) {
    this.#refused = prompt;
  }

  async #answer(request, response) {
    const prompt = (await bodyOf(request)).response_format?.json_schema?.name;
    await this.#held.get(prompt)?.gate;
    if (prompt === this.#refused) {
      response.writeHead(401, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Incorrect API key provided' } }));
      return;
    }
    const chunk = (delta, finish_reason = null) =>
      `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(`${chunk({ role: 'assistant', content: JSON.stringify(replies[prompt]) })}${chunk({}, 'stop')}data: [DONE]\n\n`);
  }
}

/** What lies between browser and server; cut() breaks every connection that is open. */
class Line {
  #sockets = new Set();
  #server;

  constructor(port) {
    this.#server = createLine((near) => {
      const far = connect(port, '127.0.0.1');
      for (const [from, to] of [[near, far], [far, near]]) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => this.#sockets.delete(from));
      }
    });
  }
  start = () => listen(this.#server);
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }
  stop() {
    this.cut();
    this.#server.close();
  }
}

export class Stage {
  model = new Model();
  line = null;
  url = '';
  #folder = mkdtempSync(join(tmpdir(), 'quaestor-stage-'));
  #program;
  #process = null;
  #port = 0;

  constructor(program) {
    this.#program = program;
  }

  async start() {
    mkdirSync(join(this.#folder, 'data'));
    writeFileSync(join(this.#folder, 'data', 'shop.csv'), 'name,town\nA,Rome\nB,Oslo\n');
    const modelPort = await this.model.start();
    writeFileSync(
      join(this.#folder, 'quaestor.yaml'),
      `sources: {shops: {path: data}}\nllm:\n  models:\n    it: {provider: compatible, model: scripted, base_url: "http://127.0.0.1:${modelPort}/v1", guard: {retry: {attempts: 1}}}\n  frontier: [it]\n`,
    );
    this.#port = await freePort();
    await this.startServer();
    this.line = new Line(this.#port);
    this.url = `http://127.0.0.1:${await this.line.start()}`;
  }

  /** Resolves when it answers. */
  startServer() {
    const words = ['--data-dir', join(this.#folder, 'kept'), '--json', 'serve', '--port', String(this.#port)];
    this.#process = spawn(this.#program, words, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve, reject) => {
      this.#process.stdout.once('data', resolve);
      this.#process.once('exit', () => reject(new Error('The server ended.')));
    });
  }

  /** As a power cut does: without a word. */
  async killServer() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
  }

  async stop() {
    await this.killServer();
    this.line.stop();
    this.model.stop();
    rmSync(this.#folder, { recursive: true });
  }
}
