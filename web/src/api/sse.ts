/** Server-sent events, read from pieces of text that may be cut anywhere. */

export interface SseMessage {
  id: string;
  event: string;
  data: string;
}

export class SseParser {
  private rest = '';
  private id = '';
  private event = '';
  private data: string[] = [];

  /** The messages that `piece` completes. */
  push(piece: string): SseMessage[] {
    this.rest += piece;
    const messages: SseMessage[] = [];
    for (let line = this.takeLine(); line !== null; line = this.takeLine()) {
      if (line === '') this.dispatch(messages);
      else this.field(line);
    }
    return messages;
  }

  private takeLine(): string | null {
    const at = this.rest.search(/[\r\n]/);
    if (at < 0) return null;
    const isReturn = this.rest[at] === '\r';
    // A return at the very end may be half of a CRLF: wait for what follows.
    if (isReturn && at + 1 === this.rest.length) return null;
    const line = this.rest.slice(0, at);
    this.rest = this.rest.slice(at + (isReturn && this.rest[at + 1] === '\n' ? 2 : 1));
    return line;
  }

  private field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') this.data.push(value);
    else if (name === 'event') this.event = value;
    else if (name === 'id' && !value.includes('\0')) this.id = value;
  }

  private dispatch(messages: SseMessage[]): void {
    if (this.data.length > 0) {
      messages.push({ id: this.id, event: this.event || 'message', data: this.data.join('\n') });
    }
    this.event = '';
    this.data = [];
  }
}
