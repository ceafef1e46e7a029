/**
 * What a client was answered, a line for each call, fit to be compared: IDs have names, and the dates that the server gave are
 * `<time>`.
 */

/** What of the client's answer is told; of a refusal that is the reason. */
interface Told {
  readonly data?: { readonly result: unknown } | undefined;
  readonly error?: { readonly error?: unknown } | object | undefined;
  readonly response?: Response | undefined;
}

/** A transcript in the making. */
export interface Transcript {
  /** Writes down an answer under what was asked, and passes it on. */
  tell<Answer extends Told>(asked: string, pending: Promise<Answer>): Promise<Answer>;
  /** Gives an ID a name, in all lines. */
  name(name: string, id: string): void;
  text(): string;
}

/** Begins a transcript. */
export function createTranscript(): Transcript {
  const lines: string[] = [];
  const names = new Map<string, string>();
  return {
    async tell(asked, pending) {
      const answer = await pending;
      const { data, error, response } = answer;
      const told = data ? data.result : Object(error).error;
      lines.push(`${asked}: ${response?.status} ${JSON.stringify(told)}\n`);
      return answer;
    },
    name: (name, id) => names.set(id, name),
    text() {
      const text = lines.join('').replace(/("cms\.content\.\w+Date"):\d+/g, '$1:<time>');
      return [...names].reduce((named, [id, name]) => named.replaceAll(id, `<${name}>`), text);
    },
  };
}
