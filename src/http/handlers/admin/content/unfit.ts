/**
 * The handlers of unfit content: the counts of assets that do not fit their type, and the assets to repair.
 */

import type * as api from '../../../../../generated/server/admin.ts';
import { invalidParameter, type Problem } from '../../../../base/errors.ts';
import { isUuid } from '../../../../base/uuid.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { Rule } from '../../../../content/unfit/find-unfit.ts';
import { titleOf } from '../../../../model/asset-title.ts';
import { getType } from '../../../../model/catalog.ts';
import { contentFor, namingRelease } from '../../requested-content.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

/** The operations of unfit content. */
type Handled = 'getUnfitReport' | 'listUnfitAssets' | 'getContentUnfit';

const defaultListed = 20;

/** Creates the handlers. */
export function createUnfitHandlers(content: ContentService): Pick<AdminHandlers, Handled> {
  const { catalog, unfit } = content;
  const types = [...catalog.types.values()].sort((one, other) => (one.class < other.class ? -1 : 1));

  return {
    async getUnfitReport() {
      const counts = new Map(unfit.counts().map((count) => [count.type, count]));
      const items = types.map(({ class: className, name }): api.UnfitCount => {
        const count = counts.get(className);
        const outline = { class: className, name };
        if (!count) return { ...outline, assets: 0, unfit: 0, rules: [] };
        const { assets, countedAtMs: countedAt } = count;
        const rules = count.rules.map(({ path, message, count, ids }) => ({
          path,
          message,
          assets: count,
          ids: [...ids],
        }));
        return { ...outline, countedAt, assets, unfit: count.unfit, rules };
      });
      return ok({ items });
    },

    async listUnfitAssets({ query, signal }) {
      const { type: name, after, limit = defaultListed } = query;
      const type = getType(catalog, name, 'type');
      if (type.kind !== 'object') throw invalidParameter('type', 'must be a content type, not an interface');
      if (after !== undefined && !isUuid(after)) throw invalidParameter('after', 'must be a UUID');
      const found = await unfit.find({
        type: type.class,
        limit: Number(limit),
        signal,
        ...readRule(query),
        ...(after !== undefined && { after: after.toLowerCase() }),
      });
      const items = found.items.map(({ asset, problems }) => ({
        _id: asset._id,
        _type: asset._type,
        title: titleOf(asset, type),
        problems: placesOf(problems),
      }));
      const { startedAtMs: checkedAt, checked, next } = found;
      return ok({ items, checkedAt, checked, ...(next !== undefined && { next }) });
    },

    getContentUnfit: namingRelease(async ({ path, query }) => {
      const { asset } = await contentFor(content, query).get(path.id, administrator);
      return ok({ items: placesOf(unfit.checkOne(asset)) });
    }),
  };
}

/** Reads the rule of a search. Errors: invalid_parameter. */
function readRule({ path, message }: { readonly path?: string; readonly message?: string }): { rule?: Rule } {
  if (path === undefined && message === undefined) return {};
  if (message === undefined) throw invalidParameter('message', 'must be given together with path');
  if (path === undefined) throw invalidParameter('path', 'must be given together with message');
  return { rule: { path, message } };
}

const placesOf = (problems: readonly Problem[]) => problems.map(({ path, message }) => ({ path, message }));
