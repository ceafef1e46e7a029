/**
 * Converts the comments of an item of WordPress, with their threads.
 */
import { idOf } from '../ids.ts';
import type { Json, JsonObject, ReadAsset } from '../reader.ts';
import { type Conversion, refer } from './conversion.ts';
import { childrenOf, textOf, type WxrElement } from './parse-wxr.ts';
import { readMeta } from './wxr-index.ts';
import { isAddress, toDateTime } from './wxr-values.ts';

/** Converts the comments; those that are spam or in the trash are reported. */
export function convertComments(
  item: WxrElement,
  {
    kind,
    number,
    conversion,
    isDraft,
  }: { kind: string; number: string; conversion: Conversion; isDraft: boolean },
): ReadAsset[] {
  const { report, index, classPrefix } = conversion;
  const comments = childrenOf(item, 'wp:comment');
  const numbers = new Set(comments.map((comment) => textOf(comment, 'wp:comment_id')));
  return comments.flatMap((comment, position) => {
    const path = comments.length > 1 ? `wp:comment[${position}]` : 'wp:comment';
    const id = textOf(comment, 'wp:comment_id');
    const approved = textOf(comment, 'wp:comment_approved');
    if (approved !== '1' && approved !== '0') {
      report.lose({
        kind: `comment that is ${approved}`,
        example: `comment ${id}`,
        path,
      });
      return [];
    }
    if (textOf(comment, 'wp:comment_author_IP') !== '')
      report.lose({
        kind: 'IP address of a comment',
        example: `comment ${id}`,
        path: `${path}.wp:comment_author_IP`,
      });
    const [parent, url] = [textOf(comment, 'wp:comment_parent'), textOf(comment, 'wp:comment_author_url')];
    const login = index.logins.get(textOf(comment, 'wp:comment_user_id'));
    const fields: Record<string, Json | undefined> = {
      authorName: textOf(comment, 'wp:comment_author'),
      authorEmail: textOf(comment, 'wp:comment_author_email'),
      authorUrl: isAddress(url) ? url : undefined,
      author: login === undefined ? undefined : refer(conversion, 'author', login),
      date: toDateTime(textOf(comment, 'wp:comment_date'), textOf(comment, 'wp:comment_date_gmt')),
      content: textOf(comment, 'wp:comment_content'),
      kind: textOf(comment, 'wp:comment_type'),
      parent: numbers.has(parent) ? refer(conversion, 'comment', parent) : undefined,
      about: refer(conversion, kind, number),
    };
    const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
    const asset: JsonObject = {
      _id: idOf(index.site, 'comment', id),
      _type: `${classPrefix}.${index.typeName('comment')}`,
    };
    for (const [name, value] of present) if (value !== undefined) asset[name] = value;
    if (fields.date !== undefined) report.convert(`${path}.wp:comment_date_gmt`);
    const meta = readMeta(comment, 'wp:commentmeta');
    if (meta.length > 0) asset.meta = meta;
    return [{ asset, isDraft: isDraft || approved === '0' }];
  });
}
