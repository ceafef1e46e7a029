/** Parses TAP version 14 strictly: every line outside the grammar is an error. */

/** One test point. */
export interface TestPoint {
  readonly ok: boolean;
  readonly number: number;
  readonly description: string;
  readonly skipped?: string;
  /** The members of the YAML block. */
  readonly diagnostics: Readonly<Record<string, unknown>>;
}

/** A complete TAP stream. */
export interface TapStream {
  readonly points: readonly TestPoint[];
  readonly plan: number;
  readonly comments: readonly string[];
  readonly bailOut?: string;
}

const pointPattern = /^(not )?ok (\d+) - ((?:[^#\\]|\\.)*?)(?: # SKIP (.*))?$/;

/** Parses a stream. */
export function parseTap(text: string, parseYaml: (block: string) => unknown): TapStream {
  const lines = text.split('\n');
  if (lines.shift() !== 'TAP version 14' || lines.pop() !== '') throw new Error('not TAP version 14');
  const points: TestPoint[] = [];
  const comments: string[] = [];
  let plan: number | undefined;
  let bailOut: string | undefined;
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const point = pointPattern.exec(line);
    const end = /^1\.\.(\d+)$/.exec(line)?.[1];
    if (point) {
      const [, not, number, description = '', skipped] = point;
      const block: string[] = [];
      if (lines[0] === '  ---') {
        lines.shift();
        for (let more = lines.shift(); more !== '  ...'; more = lines.shift())
          block.push(String(more).slice(2));
      }
      points.push({
        ok: not === undefined,
        number: Number(number),
        description: description.replace(/\\([\\#])/g, '$1'),
        ...(skipped === undefined ? {} : { skipped }),
        diagnostics: Object(parseYaml(block.join('\n'))),
      });
    } else if (end !== undefined) plan = Number(end);
    else if (line.startsWith('# ')) comments.push(line.slice(2));
    else if (line.startsWith('Bail out! ')) bailOut = line.slice(10);
    else throw new Error(`not TAP: ${line}`);
  }
  if (plan === undefined) throw new Error('there is no plan');
  return { points, plan, comments, ...(bailOut === undefined ? {} : { bailOut }) };
}
