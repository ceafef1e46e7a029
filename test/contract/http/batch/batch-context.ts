/** The context of the batch cases: sends batches, and summarizes the result of each operation. */
import { expect } from 'vitest';
import type { CmaResponse } from '../cma/caller.ts';
import { author, type CmaContext } from '../cma/cma-content.ts';

/** An operation of a batch, valid or not. */
export type Operation = Readonly<Record<string, unknown>> | null | string | number | readonly unknown[];

/** Shared by all cases of batches. */
export interface BatchContext extends CmaContext {
  post(operations: readonly Operation[], more?: object): Promise<CmaResponse>;
  /** Sends a batch and returns for each operation its outcome, or its status with code and path. */
  run(operations: readonly Operation[], more?: object): Promise<(string | undefined)[]>;
  get(id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Returns an operation that creates an article with an unused slug. */
  createOf(fields?: object): { readonly action: string; readonly asset: Readonly<Record<string, unknown>> };
  authorOf(fields?: object): object;
}

/** Extends the context of the CMA's cases. */
export function createBatchContext(context: CmaContext): BatchContext {
  const { call, newArticle, newSlug } = context;
  const post = (operations: readonly Operation[], more: object = {}) =>
    call('POST', { path: '/batch', body: { operations, ...more } });
  return {
    ...context,
    post,
    async run(operations, more) {
      const { status, body } = await post(operations, more);
      expect(status).toBe(200);
      const { failed, results } = body.result;
      expect(results).toHaveLength(operations.length);
      expect(failed).toBe(results.filter((result: Result) => result.status !== 200).length);
      return results.map(summarize);
    },
    get: async (id) => (await call('GET', { path: `/${id}` })).body.result,
    createOf: (fields = {}) => ({ action: 'create', asset: newArticle(fields) }),
    authorOf: (fields = {}) => ({ _type: author, slug: newSlug(), name: 'Ada', ...fields }),
  };
}

/** Builds a reference to an author, or to an asset of another type. */
export const refer = (_ref: string, _type = author) => ({ _ref, _type });

let ids = 0;

/** Returns a UUID that no asset has. */
export const newId = () => `0190a0c0-1111-7000-8000-${String(ids++).padStart(12, '0')}`;

interface Result {
  readonly status: number;
  readonly outcome?: string;
  readonly error?: { readonly code: string; readonly path?: string };
}

/** Summarizes the result of one operation: its outcome, or its status with code and path. */
export function summarize({ status, outcome, error }: Result): string | undefined {
  if (!error) return outcome;
  return [status, error.code, ...(error.path === undefined ? [] : [error.path])].join(' ');
}
