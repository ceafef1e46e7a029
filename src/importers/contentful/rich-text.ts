/**
 * Renders rich text of Contentful as HTML. Entries, assets and resources in it keep what they are as attributes.
 */
import { documentToHtmlString, type Options } from '@contentful/rich-text-html-renderer';
import { fileLink } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import { escapeText, toEditorHtml } from '../rich-text.ts';
import type { Place } from './entry-conversion.ts';

/** A document as the renderer takes it. */
export type RichTextDocument = Parameters<typeof documentToHtmlString>[0];

type RenderNode = NonNullable<Options['renderNode']>[string];
type Next = Parameters<RenderNode>[1];

/** Renders a document. */
export function toHtml(document: RichTextDocument, place: Place): string {
  const { index, report } = place;
  const render =
    (tag: string, toAttributes: (data: NodeData) => string): RenderNode =>
    (node, next) =>
      // The nodes below have been checked by the renderer.
      `<${tag}${toAttributes(node.data)}>${next(node.content as Parameters<Next>[0])}</${tag}>`;
  const note = (kind: string, what: string) => report.lose({ kind, example: `${place.place}: ${what}` });
  const entry = ({ target }: NodeData) => {
    const id = target?.sys?.id ?? '';
    note('entry in a rich text, of which the ID is kept', `${index.entries.get(id) ?? 'missing'} ${id}`);
    return ` data-entry="${idOf('contentful', 'entry', id)}"`;
  };
  const asset = ({ target }: NodeData) => {
    const id = target?.sys?.id ?? '';
    if (!index.assets.has(id)) note('asset in a rich text that the export lacks', id);
    return ` data-asset="${idOf('contentful', 'asset', id)}"`;
  };
  const other = (type: string) => (data: NodeData) => {
    note('part of a rich text without a form in HTML, kept as the data of an element', type);
    return ` data-node="${escapeText(type)}" data-value="${escapeText(JSON.stringify(data))}"`;
  };
  const known: NonNullable<Options['renderNode']> = {
    'embedded-entry-block': render('div', entry),
    'embedded-entry-inline': render('span', entry),
    'entry-hyperlink': render('a', entry),
    'embedded-asset-block': (node, next) => {
      const id = (node.data as NodeData).target?.sys?.id ?? '';
      const kept = place.pictures?.get(id);
      return kept
        ? `<p><img src="${fileLink(kept.hash, kept.name)}" alt="" data-asset="${idOf('contentful', 'asset', id)}"></p>`
        : render('div', asset)(node, next);
    },
    'asset-hyperlink': render('a', asset),
    'table-cell': render('td', spans),
    'table-header-cell': render('th', spans),
    ...Object.fromEntries(
      ['embedded-resource-block', 'embedded-resource-inline', 'resource-hyperlink'].map((type) => [
        type,
        render(type.endsWith('block') ? 'div' : type.endsWith('inline') ? 'span' : 'a', other(type)),
      ]),
    ),
  };
  const unknown = [...typesIn(document)].filter((type) => !rendered.test(type) && !known[type]);
  return toEditorHtml(
    documentToHtmlString(document, {
      renderNode: {
        ...known,
        ...Object.fromEntries(unknown.map((type) => [type, render('div', other(type))])),
      },
    }),
  );
}

/** What a node says of itself. */
interface NodeData {
  readonly target?: { readonly sys?: { readonly id?: string } };
  readonly colspan?: unknown;
  readonly rowspan?: unknown;
}

const spans = (data: NodeData): string =>
  (['colspan', 'rowspan'] as const)
    .flatMap((name) => {
      const count = Number(data[name] ?? 1);
      return Number.isInteger(count) && count > 1 ? [` ${name}="${count}"`] : [];
    })
    .join('');

/** The types of nodes that the renderer has a form for. */
const rendered =
  /^(document|text|paragraph|heading-[1-6]|(un)?ordered-list|list-item|blockquote|hr|hyperlink|table|table-row)$/;

interface AnyNode {
  readonly nodeType?: string;
  readonly content?: readonly AnyNode[];
}

function* typesIn({ nodeType, content = [] }: AnyNode): Generator<string> {
  if (nodeType !== undefined) yield nodeType;
  for (const node of content) yield* typesIn(node);
}
