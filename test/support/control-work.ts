/**
 * A control for measurements: known work that is measured beside the work under test. A busy or slow machine lengthens both, so a test can
 * compare them, by a wide factor, where a number of milliseconds would fail some day.
 */
import { ownThreadMs } from './processor-time.ts';

/** A JSON text of 2.5 MB with 200,000 members. */
const controlText = `{${Array.from({ length: 200_000 }, (_, n) => `"m${n}":${n}`).join()}}`;

/** Returns the processor time of the control: parsing a large JSON text, which takes a tenth of a second on a quiet machine. */
export function controlMs(): number {
  return measure(() => JSON.parse(controlText));
}

/** Returns how many times as long as the control some work takes. */
export const timesControl = (work: () => unknown): number => measure(work) / controlMs();

function measure(work: () => unknown): number {
  const startedMs = ownThreadMs();
  work();
  return ownThreadMs() - startedMs;
}
