import { describe, expect, it } from 'vitest';
import { SseParser, type SseMessage } from './sse';

const message = (event: string, data: string, id = ''): SseMessage => ({ event, data, id });

const cases: { name: string; pieces: string[]; expected: SseMessage[] }[] = [
  { name: 'one block', pieces: ['id: 7\nevent: done\ndata: {"a":1}\n\n'], expected: [message('done', '{"a":1}', '7')] },
  { name: 'several blocks in one piece', pieces: ['event: a\ndata: 1\n\nevent: b\ndata: 2\n\n'], expected: [message('a', '1'), message('b', '2')] },
  { name: 'CRLF', pieces: ['event: a\r\ndata: 1\r\n\r\n'], expected: [message('a', '1')] },
  { name: 'CRLF cut between CR and LF', pieces: ['event: a\r', '\ndata: 1\r', '\n\r', '\n'], expected: [message('a', '1')] },
  { name: 'CR alone', pieces: ['event: a\rdata: 1\r\rx'], expected: [message('a', '1')] },
  { name: 'cut in the middle of a name', pieces: ['eve', 'nt: a\nda', 'ta: 1', '\n', '\n'], expected: [message('a', '1')] },
  { name: 'comments', pieces: [': keep-alive\n\n', 'event: a\n: x\ndata: 1\n\n'], expected: [message('a', '1')] },
  { name: 'a block without data', pieces: ['event: a\n\ndata: 1\n\n'], expected: [message('message', '1')] },
  { name: 'several data lines', pieces: ['data: 1\ndata: 2\n\n'], expected: [message('message', '1\n2')] },
  { name: 'no space after the colon', pieces: ['event:a\ndata:1\n\n'], expected: [message('a', '1')] },
  { name: 'only one space is taken', pieces: ['data:  1\n\n'], expected: [message('message', ' 1')] },
  { name: 'a field without a colon', pieces: ['data\n\n'], expected: [message('message', '')] },
  { name: 'an id stays until the next', pieces: ['id: 3\ndata: 1\n\ndata: 2\n\n'], expected: [message('message', '1', '3'), message('message', '2', '3')] },
  { name: 'an unfinished block', pieces: ['event: a\ndata: 1\n'], expected: [] },
  { name: 'colons in data', pieces: ['data: {"t":"a: b"}\n\n'], expected: [message('message', '{"t":"a: b"}')] },
];

describe('SseParser', () => {
  it.each(cases)('reads $name', ({ pieces, expected }) => {
    const parser = new SseParser();
    expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(expected);
  });

  it('gives the same messages wherever a stream is cut', () => {
    const whole = 'id: 1\r\nevent: node_start\r\ndata: {"node":"x"}\r\n\r\n: c\n\nid: 2\nevent: agent_talk\ndata: {"content":"é – ½"}\n\n';
    const expected = new SseParser().push(whole);
    expect(expected).toHaveLength(2);
    for (let at = 1; at < whole.length; ++at) {
      const parser = new SseParser();
      expect([...parser.push(whole.slice(0, at)), ...parser.push(whole.slice(at))]).toEqual(expected);
    }
  });
});
