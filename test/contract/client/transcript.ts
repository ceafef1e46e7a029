/**
 * What a client was answered, a line for each call, fit to be compared: IDs have names, and the dates that the server gave are
 * `<time>`. Of a refusal it tells the class of the error and the reason in its body.
 */
import type { ColophonError } from '../../../generated/client/lib/index.js';

/** A transcript in the making. */
export interface Transcript {
  /** Writes down under what was asked what a call came to, and passes that on; nothing after a refusal. */
  tell<Answer>(asked: string, pending: Promise<Answer>): Promise<Answer | undefined>;
  /** Gives an ID a name, in all lines. */
  name(name: string, id: string): void;
  text(): string;
}

/** Begins a transcript; `isRefusal` knows the errors of the client that is used. */
export function createTranscript(isRefusal: (error: unknown) => error is ColophonError): Transcript {
  const lines: string[] = [];
  const names = new Map<string, string>();
  return {
    async tell(asked, pending) {
      try {
        const answer = await pending;
        const { asset = answer ?? null } = Object(answer);
        lines.push(`${asked}: ${JSON.stringify(asset)}\n`);
        return answer;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        lines.push(`${asked}: ${error.status} ${error.name} ${JSON.stringify(Object(error.body).error)}\n`);
        return undefined;
      }
    },
    name: (name, id) => names.set(id, name),
    text() {
      const text = lines.join('').replace(/("cms\.content\.\w+Date"):\d+/g, '$1:<time>');
      return [...names].reduce((named, [id, name]) => named.replaceAll(id, `<${name}>`), text);
    },
  };
}
