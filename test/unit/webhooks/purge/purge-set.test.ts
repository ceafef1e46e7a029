import { describe, expect, it } from 'vitest';
import { PurgeSet } from '../../../../src/webhooks/purge/purge-worker.ts';

const change = (type: string, asset: string) => ({ type, asset });
const always = 'colophon:any';

describe('the tags of changes', () => {
  it('are those of the assets and of any change of their types, each once', () => {
    const set = new PurgeSet(10);
    for (const asset of ['1', '2', '1']) set.add(change('A', asset));
    set.add(change('B', '3'));
    expect(set.tags().toSorted()).toEqual(['1', '2', '3', 'A:any', 'B:any', always]);
  });

  it('are those of types when there are too many assets, however many follow', () => {
    const set = new PurgeSet(2);
    for (let n = 0; n < 1_000; n++) set.add(change(n % 2 ? 'A' : 'B', `${n}`));
    expect(set.tags().toSorted()).toEqual(['A', 'A:any', 'B', 'B:any', always]);
  });

  it('name the assets of a type again that was not touched when there were too many', () => {
    const set = new PurgeSet(1);
    for (const asset of ['1', '2', '3']) set.add(change('A', asset));
    set.add(change('B', '4'));
    expect(set.tags().toSorted()).toEqual(['4', 'A', 'A:any', 'B:any', always]);
  });

  it('of two sets are joined within the bound', () => {
    const joined = (most: number) => {
      const [one, other] = [new PurgeSet(most), new PurgeSet(most)];
      for (const asset of ['1', '2']) one.add(change('A', asset));
      for (const asset of ['2', '3']) other.add(change('A', asset));
      one.addAll(other);
      return one.tags().toSorted();
    };
    expect(joined(3)).toEqual(['1', '2', '3', 'A:any', always]);
    expect(joined(2)).toEqual(['A', 'A:any', always]);
  });

  it('of a whole set stay whole when it is joined', () => {
    const [one, whole] = [new PurgeSet(5), new PurgeSet(5)];
    one.add(change('A', '1'));
    whole.addWhole(['B']);
    one.addAll(whole);
    expect(one.tags().toSorted()).toEqual(['A', 'A:any', 'B', 'B:any', always]);
  });
});
