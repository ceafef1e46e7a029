/**
 * Loads what stored assets no longer fit their content types, and finds the assets to repair.
 */
import { queryOptions } from '@tanstack/react-query';
import { type Asset, admin, answer, type UnfitAsset, type UnfitAssets, type UnfitRule } from '../../api.ts';
import { pathOfAsset } from './load-titles.ts';

/** A rule of a content type. */
export type Rule = Pick<UnfitRule, 'path' | 'message'>;

/** The last counts of all content types, as `{ items }`. */
export const unfitReport = queryOptions({
  queryKey: ['unfit', 'report'],
  queryFn: () => answer(admin.getUnfitReport()),
});

/** The fields of a state of an asset that do not fit, as `{ items }`. */
export const unfitFields = ({
  id,
  tag,
  release,
}: {
  id: string;
  tag: string | undefined;
  release: string | null;
}) =>
  queryOptions({
    queryKey: ['contents', id, 'unfit', tag, release],
    queryFn: () =>
      answer(admin.getContentUnfit({ path: { id }, query: { ...(release !== null && { release }) } })),
  });

/** Which assets to find: those of a type that break a rule, or any rule, after an asset. */
export interface UnfitSearch {
  readonly type: string;
  readonly rule: Rule | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** Finds a page of unfit assets. It may be empty although there are more. */
export function listUnfit(
  { type, rule, after, limit }: UnfitSearch,
  signal?: AbortSignal,
): Promise<UnfitAssets> {
  const query = { type, limit, ...rule, ...(after !== undefined && { after }) };
  return answer(admin.listUnfitAssets({ query, ...(signal && { signal }) }));
}

/** Finds unfit assets until `limit` are found or all assets of the type are checked. */
export async function findUnfit(
  search: UnfitSearch,
  signal?: AbortSignal,
): Promise<{ readonly items: readonly UnfitAsset[]; readonly next: string | undefined }> {
  const items: UnfitAsset[] = [];
  for (let { after } = search; ; ) {
    const page = await listUnfit({ ...search, after, limit: search.limit - items.length }, signal);
    items.push(...page.items);
    if (page.next === undefined || items.length >= search.limit) return { items, next: page.next };
    after = page.next;
  }
}

/** The address of the page of all unfit assets. */
export const unfitPath = '/admin/types/unfit';

/** The address of the list of a type's assets that break a rule, or any rule. */
export const pathOfUnfit = (type: string, rule?: Rule) =>
  `${unfitPath}/${encodeURIComponent(type)}${toSearch(rule)}`;

/** The address of the form of an asset that breaks a rule; from there one goes on to the next asset that breaks it. */
export const pathOfRepair = (asset: Pick<Asset, '_id' | '_type'>, rule?: Rule) =>
  `${pathOfAsset(asset)}${toSearch(rule) || '?repair='}`;

/** Reads the rule of an address; undefined means any rule. */
export function ruleIn(parameters: URLSearchParams): Rule | undefined {
  const [path, message] = [parameters.get('path'), parameters.get('message')];
  return path === null || message === null ? undefined : { path, message };
}

/** Whether an address is that of an asset to repair. */
export const isRepair = (parameters: URLSearchParams) =>
  parameters.has('repair') || ruleIn(parameters) !== undefined;

const toSearch = (rule: Rule | undefined) =>
  rule ? `?${new URLSearchParams({ path: rule.path, message: rule.message })}` : '';

/** The message of a field that the type does not have. No form has an input for it. */
export const isUnknownField = ({ message }: Pick<Rule, 'message'>) =>
  message === 'is not a field of this type';
