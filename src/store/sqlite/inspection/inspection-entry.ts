/**
 * The entry of the thread that checks a database file, so that the main thread can show meanwhile how long it takes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type CheckedPart, createFindings, type Finding } from '../../inspection/findings.ts';
import type { TypeToStore } from '../indexes/field-indexes.ts';
import { type SerializedError, serializeError } from '../threads/worker-calls.ts';
import { checkFile } from './check-file.ts';

/** The start data of the thread. */
export interface InspectionData {
  readonly file: string;
  readonly types: readonly TypeToStore[];
}

/** A message of the thread: the part that it checks next, or the outcome, which is the last message. */
export type InspectionMessage =
  | { readonly part: CheckedPart }
  | { readonly findings: readonly Finding[] }
  | { readonly error: SerializedError };

const port = parentPort;
if (port === null) throw new Error('This module is the entry of a worker thread');
const data: InspectionData = workerData;
const post = (message: InspectionMessage) => port.postMessage(message);
const findings = createFindings();
try {
  checkFile({ ...data, findings, onPart: (part) => post({ part }) });
  post({ findings: findings.list() });
} catch (error) {
  post({ error: serializeError(error) });
}
