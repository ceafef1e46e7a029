/** The text of the TypeScript types of an operation. */
import { describe, expect, it } from 'vitest';
import { splitDeclarations } from '../../../../src/admin/pages/rest-endpoint/mappings/split-declarations.ts';
import { toTypeScript } from '../../../../src/mapping/describe/derive-typescript.ts';
import { describedOperation } from '../../../support/described-operation.ts';
import { newsSdl } from '../news-operations.ts';

const derive = (source: string) => toTypeScript(describedOperation(newsSdl, source));

describe('toTypeScript', () => {
  it('declares variables, data and input objects with their descriptions', () => {
    const source = `query places($id: ID!, $place: Place, $flag: Boolean) {
      article(_id: $id) { _id printed text status @include(if: true) author { name } }
      articles(flag: $flag, filter: { text: "", place: $place }) { former @skip(if: $flag) }
    }`.replace('$flag: Boolean)', '$flag: Boolean! = true)');
    expect(derive(source)).toBe(`/** What the query \`places\` takes. */
export interface PlacesVariables {
  id: string;
  place?: Place | null;
  /** @default true */
  flag?: boolean;
}

/** What the query \`places\` answers with. */
export interface PlacesData {
  article: {
    _id: string;
    /** When it was printed. Ends a comment: *\\/ */
    printed: number | null;
    /**
     * The text.
     *
     * It has two paragraphs.
     */
    text: string | null;
    status: 'DRAFT' | 'LIVE';
    author: {
      name: string;
    } | null;
  } | null;
  articles: Array<{
    former?: Array<'DRAFT' | 'LIVE' | null> | null;
  }>;
}

export interface Place {
  city: string;
  near?: Array<Place | null> | null;
}
`);
  });

  it('writes input objects so that the form of an endpoint can fold them away', () => {
    const { own, inputs } = splitDeclarations(
      derive(
        'query places($place: Place) { articles(flag: true, filter: { text: "", place: $place }) { text } }',
      ),
    );
    expect(own.match(/export interface \w+/g)).toEqual([
      'export interface PlacesVariables',
      'export interface PlacesData',
    ]);
    expect(inputs).toEqual([
      'export interface Place {\n  city: string;\n  near?: Array<Place | null> | null;\n}',
    ]);
  });

  it('declares the descriptions and defaults of variables, and no null where an operation takes none', () => {
    const text = derive(
      `query q("""How many.\n\nAt most 9.""" $limit: Int! = 5, $flag: Boolean = true, $when: Boolean = false) {
        articles(flag: $flag, filter: { text: "" }) { former @skip(if: $when) }
        again: articles(flag: true, filter: { text: "" }, limit: $limit) { former }
      }`,
    );
    expect(text).toContain(`export interface QVariables {
  /**
   * How many.
   *
   * At most 9.
   *
   * @default 5
   */
  limit?: number;
  /** @default true */
  flag?: boolean | null;
  /** @default false */
  when?: boolean;
}`);
  });

  it('declares a type that accepts only {} when there are no members', () => {
    const text = derive('query _1 { anything { ... on Person { name } } nobody { name } }');
    expect(text).toContain('export type Operation1Variables = Record<string, never>;');
    expect(text).toContain('anything: Array<Record<string, never> | {\n    name: string;\n  }>;');
    expect(text).toContain('nobody: never | null;');
  });
});
