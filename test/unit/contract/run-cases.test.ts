import { expect, it } from 'vitest';
import { type CaseGroup, toCase, toSetupCase } from '../../../src/contract/case.ts';
import { NoResponse } from '../../../src/contract/responses/send-request.ts';
import { runCases, type Selection } from '../../../src/contract/run-cases.ts';
import { createRandomGenerator } from '../../../src/contract/samples/random-generator.ts';

const signal = new AbortController().signal;

/** Runs cases that draw random numbers, and returns the numbers of each. */
async function drawnIn(only?: Selection, seed = 'one seed') {
  const random = createRandomGenerator(seed);
  const drawn: Record<string, string> = {};
  const take = (name: string, times: number) => async () => {
    for (let time = 0; time < times; time++) drawn[name] = random.uuid();
  };
  function* group(): CaseGroup {
    yield toSetupCase('setUp', 'first', take('setUp', 1));
    yield toCase('a', 'one', take('a', 3));
    const between = random.uuid();
    yield toCase('b', 'two', async () => {
      drawn.between = between;
      drawn.b = random.uuid();
    });
  }
  await runCases({ groups: [group(), group()], random, signal, report: () => {}, ...(only ? { only } : {}) });
  return drawn;
}

it('the random values of a case depend only on the seed', async () => {
  const all = await drawnIn();
  const { a: _, ...withoutA } = all;
  expect(await drawnIn({ operation: 'b' })).toEqual(withoutA);
  expect(new Set(Object.values(all)).size).toBe(4);
  expect(Object.values(await drawnIn(undefined, 'another'))).not.toContain(all.b);
});

it('runs the setups and the selected cases', async () => {
  expect(Object.keys(await drawnIn({ operation: 'a' }))).toEqual(['setUp', 'a']);
  expect(Object.keys(await drawnIn({ operation: 'a', name: /^a one$/ }))).toEqual(['setUp', 'a']);
  expect(Object.keys(await drawnIn({ operation: 'a', name: /two/ }))).toEqual(['setUp']);
});

it('ends the run after three consecutive cases without a response, not after two', async () => {
  const outcomes = 'nnannnaa';
  const titles: string[] = [];
  function* group(): CaseGroup {
    for (const [index, outcome] of [...outcomes].entries()) {
      yield toCase('x', String(index), async () => {
        if (outcome === 'n') throw new NoResponse('gone', { method: 'GET', path: '/' });
      });
    }
  }
  const report = ({ title }: { title: string }) => void titles.push(title);
  const run = runCases({ groups: [group()], random: createRandomGenerator(''), signal, report });
  await expect(run).rejects.toThrow('stopped after 3 cases without a response: no response: gone');
  expect(titles).toEqual(['0', '1', '2', '3', '4', '5']);
});
