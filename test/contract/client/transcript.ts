/**
 * A comparable transcript of the answers a client got, one line per call: IDs are replaced by names and server dates by `<time>`.
 * An error is written with its status, its class and the reason in its body.
 */
import type { ColophonError } from '../../../generated/client/lib/index.js';

/** A transcript that grows with each call. */
export interface Transcript {
  /** Records the response of a call under a title and returns it; returns undefined after an error response. */
  record<Answer>(title: string, pending: Promise<Answer>): Promise<Answer | undefined>;
  /** Replaces an ID by a name in all lines. */
  name(name: string, id: string): void;
  text(): string;
}

/** Creates a transcript; `isRefusal` recognizes the errors of the client in use. */
export function createTranscript(isRefusal: (error: unknown) => error is ColophonError): Transcript {
  const lines: string[] = [];
  const names = new Map<string, string>();
  return {
    async record(title, pending) {
      try {
        const response = await pending;
        const { asset = response ?? null } = Object(response);
        lines.push(`${title}: ${JSON.stringify(asset)}\n`);
        return response;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        lines.push(`${title}: ${error.status} ${error.name} ${JSON.stringify(Object(error.body).error)}\n`);
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
