/**
 * Shows the progress of a long task on a terminal: one line with a bar, redrawn in place. Elsewhere nothing is shown, so that the logs of
 * scheduled tasks contain results and errors alone.
 */
import type { Clock } from '../base/runtime.ts';

/** The state of a task. `total` is absent when the end is unknown. */
export interface WorkState {
  readonly lines: number;
  readonly failed?: number;
  /** In the unit of `total`. */
  readonly done: number;
  readonly total?: number;
}

/** The terminal on which progress is shown. */
export interface ProgressScreen {
  readonly columns: () => number;
  write(text: string): void;
}

export interface ProgressDisplay {
  /** Shows the name of a step that has no figures, with the time that the task has taken, until the next update. */
  begin(step: string): void;
  update(state: WorkState): void;
  /** Clears the line, so that other text may follow. */
  end(): void;
}

const redrawMs = 200;

/** Shows nothing. */
const noDisplay: ProgressDisplay = { begin: () => {}, update: () => {}, end: () => {} };

/** Starts showing progress, if there is a terminal; `unit` is what `lines` counts. */
export function showProgress({
  unit = 'lines',
  screen,
  clock,
}: {
  unit?: string;
  screen: ProgressScreen | undefined;
  clock: Clock;
}): ProgressDisplay {
  if (!screen) return noDisplay;
  const startedMs = clock.nowMs();
  let first: WorkState | undefined;
  let latest: WorkState | undefined;
  let step: string | undefined;

  const draw = (elapsedMs: number): string | undefined => {
    const columns = screen.columns();
    if (step !== undefined) return `${step}  ${asTime(elapsedMs / 1000)}`.slice(0, columns - 1);
    return first && latest && drawBar({ first, latest, elapsedMs, unit }, columns);
  };
  const timer = setInterval(() => {
    const line = draw(clock.nowMs() - startedMs);
    // \x1b[K clears what an earlier, longer line left.
    if (line !== undefined) screen.write(`\r${line}\x1b[K`);
  }, redrawMs).unref();
  return {
    begin(name) {
      step = name;
    },
    update(state) {
      step = undefined;
      first ??= state;
      latest = state;
    },
    end() {
      clearInterval(timer);
      if (latest || step !== undefined) screen.write('\r\x1b[K');
      latest = undefined;
      step = undefined;
    },
  };
}

/** The first and the latest state, and the time between them. */
export interface Pace {
  readonly first: WorkState;
  readonly latest: WorkState;
  readonly elapsedMs: number;
  /** What `lines` counts; absent means lines. */
  readonly unit?: string;
}

/** Draws one line of at most `columns` characters; the bar fills the space that the words leave. */
export function drawBar(pace: Pace, columns: number): string {
  const { done, total } = pace.latest;
  const words = describe(pace).join('  ');
  // A terminal may break a line that is as long as it is wide.
  const width = columns - 1;
  if (total === undefined || total === 0) return words.slice(0, width);
  const part = Math.min(1, done / total);
  const percent = `${Math.floor(part * 100)}%`.padStart(4);
  const barWidth = Math.min(40, width - words.length - percent.length - 5);
  if (barWidth < 5) return `${percent}  ${words}`.slice(0, width);
  const filled = Math.round(part * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${percent}  ${words}`;
}

/** Describes lines, rate, failures and remaining time, as far as they are known. */
export function describe({ first, latest, elapsedMs, unit = 'lines' }: Pace): string[] {
  const seconds = Math.max(elapsedMs, 1) / 1000;
  const { lines, failed = 0, done, total } = latest;
  const perSecond = Math.round((lines - first.lines) / seconds);
  const words = [`${grouped(lines)} ${unit}`, `${grouped(perSecond)}/s`];
  if (failed > 0) words.push(`${grouped(failed)} failed`);
  const gained = done - first.done;
  if (total !== undefined && gained > 0 && elapsedMs > 1000) {
    words.push(`${asTime(((total - done) / gained) * seconds)} left`);
  }
  return words;
}

/** Formats a number with thousands separators. */
export const grouped = (number: number) => number.toLocaleString('en-US');

function asTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
