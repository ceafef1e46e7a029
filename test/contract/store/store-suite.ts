/**
 * The contract of the store port, written once. Every adapter runs all cases, and no case depends on the adapter.
 */
import { describe } from 'vitest';
import { describeAssets } from './asset-cases.ts';
import { describeBatches } from './batch-cases.ts';
import { describeBudgets } from './budget-cases.ts';
import { describeChanges } from './changes/change-cases.ts';
import { describeChunks } from './chunk-cases.ts';
import { describeConditionalKeys } from './conditional-key-cases.ts';
import { describeDeletions } from './deletion-cases.ts';
import { describeFinding } from './find-cases.ts';
import type { CreateHarness } from './harness.ts';
import { describeLifecycle } from './lifecycle-cases.ts';
import { describePredicates } from './predicate-cases.ts';
import { describeServing } from './serving-cases.ts';
import { describeSorting } from './sort-cases.ts';
import { describeShapes, describeTexts } from './text-cases.ts';
import { describeWriting } from './write-cases.ts';

/** Runs the whole contract on an adapter. */
export function describeContentStore(name: string, createHarness: CreateHarness): void {
  describeContent(name, createHarness);
  describe(`content store: ${name}`, () => {
    describe('concurrent writes', () => describeWriting(createHarness));
    describe('batches of writes', () => describeBatches(createHarness));
    describe('keys with a condition', () => describeConditionalKeys(createHarness));
    describe('searches beyond their budget', () => describeBudgets(createHarness));
    describe('rules of deletion', () => describeDeletions(createHarness));
    describe('serving', () => describeServing(createHarness));
    describe('reopening and sharing', () => describeLifecycle(createHarness));
  });
}

/** Runs the part of the contract that says what reads give: of present assets, and of their past. */
export function describeContent(name: string, createHarness: CreateHarness): void {
  describe(`content of the store: ${name}`, () => {
    describe('assets', () => describeAssets(createHarness));
    describe('finding', () => describeFinding(createHarness));
    describe('reading in chunks', () => describeChunks(createHarness));
    describe('reading as texts', () => describeTexts(createHarness));
    describe('shapes of texts', () => describeShapes(createHarness));
    describe('sorting', () => describeSorting(createHarness));
    describe('predicates', () => describePredicates(createHarness));
    describe('change log', () => describeChanges(createHarness));
  });
}
