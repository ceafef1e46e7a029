/**
 * What the path of a Markdown file says: its type, its slug, its date, and what a template names.
 */
import type { JsonObject } from '../reader.ts';
import { SourceError } from '../source-error.ts';

/** The parts of a path. */
export interface PathParts {
  /** The name of the type in the source. */
  readonly kind: string;
  readonly fields: JsonObject;
  readonly isDraft: boolean;
}

/** Creates the reader of paths; `template` has a part for each folder, such as `{lang}/{class}`. Errors: SourceError. */
export function createPathReader(template: string | undefined): (path: string) => PathParts {
  const parts = template?.split('/').map((part) => {
    const [, name] = /^\{([A-Za-z][A-Za-z0-9_-]*)\}$/.exec(part) ?? [];
    if (name === undefined)
      throw new SourceError(`cannot be read: --path must be parts such as {lang}/{class}, not ${template}`);
    return name;
  });
  return (path) => {
    const folders = path.split('/').slice(0, -1);
    const named = Object.fromEntries(
      (parts ?? []).flatMap((name, index) => (folders[index] === undefined ? [] : [[name, folders[index]]])),
    );
    const { class: kind = parts ? 'page' : (folders[0] ?? 'page'), ...fields } = named;
    return {
      kind: toKind(kind),
      fields: { ...fields, ...readFileName(path) },
      isDraft: folders.includes('_drafts'),
    };
  };
}

/** Jekyll writes `_posts` and `_drafts`, of the same type; other names are plurals as well. */
const toKind = (folder: string) =>
  folder === '_drafts' ? 'post' : folder.replace(/^_/, '').replace(/([^s])s$/, '$1');

/** The slug, and the date in a name such as `2024-05-01-hello.md`. The file of a folder is named index. */
function readFileName(path: string): JsonObject {
  const names = path.replace(/\.[^.]*$/, '').split('/');
  const last = names.at(-1) ?? '';
  const isIndex = /^_?index$/.test(last) && names.length > 1;
  const name = isIndex ? (names.at(-2) ?? last) : last;
  const [, date, slug] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(name) ?? [];
  return date === undefined || slug === undefined ? { slug: name } : { slug, date };
}
