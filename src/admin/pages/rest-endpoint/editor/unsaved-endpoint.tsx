/**
 * Keeps the draft of a REST endpoint in the browser while it is not saved, and offers it again.
 */
import { useMemo } from 'react';
import { CopyField } from '../../../parts/layout/copy-field.tsx';
import { UnsavedStrip } from '../../../parts/unsaved/unsaved-strip.tsx';
import { type Unsaved, useUnsaved } from '../../../parts/unsaved/use-unsaved.ts';
import type { StoredEndpoint } from '../rest-endpoint-data.ts';
import { type EndpointDraft, emptyDraft, withNewKeys } from './draft.ts';

/** A draft, and the number of the version that it began with. */
interface KeptEndpoint {
  readonly number: number | undefined;
  readonly draft: EndpointDraft;
  /** What the user has thrown away; absent of what was typed and not saved. */
  readonly thrownAway?: string;
}

/** Keeps the draft while it is changed. */
export function useUnsavedEndpoint(
  stored: StoredEndpoint | undefined,
  draft: EndpointDraft,
  isChanged: boolean,
): Unsaved & {
  /** Keeps the draft as it is, before the mapping of that name is removed. */
  readonly keepRemoved: (name: string) => void;
} {
  const kept = useMemo(
    (): KeptEndpoint | undefined => (isChanged ? { number: stored?.data.number, draft } : undefined),
    [draft, isChanged],
  );
  const unsaved = useUnsaved(`rest-endpoint ${stored?.data.id ?? 'new'}`, kept);
  return {
    ...unsaved,
    keepRemoved: (name) => {
      const present: KeptEndpoint = {
        number: stored?.data.number,
        draft,
        thrownAway: `You have removed ${name}`,
      };
      unsaved.setAside(present);
    },
  };
}

/** The offer, if there is one. It replaces the whole draft; what others have saved since stays among the versions. */
export function UnsavedEndpoint({
  stored,
  draft: present,
  isChanged,
  unsaved: { offered, settle, setAside },
  onRestore,
}: {
  stored: StoredEndpoint | undefined;
  draft: EndpointDraft;
  isChanged: boolean;
  unsaved: Unsaved;
  onRestore: (draft: EndpointDraft) => void;
}) {
  if (!offered) return null;
  // Safe: `useUnsavedEndpoint` has kept it. Another version of this UI may have had other members.
  const { number, draft, thrownAway } = offered.value as KeptEndpoint;
  const strip = { at: offered.at, title: thrownAway, onDiscard: () => settle(offered, false) };
  if (!Object.keys(emptyDraft).every((name) => name in draft))
    return (
      <UnsavedStrip {...strip}>
        The form has changed since, so they cannot be put into it. Copy from here what you need.
        <CopyField label="Unsaved draft" text={JSON.stringify(draft, null, 2)} maxHeight={240} />
      </UnsavedStrip>
    );
  const restore = () => {
    setAside();
    onRestore(withNewKeys(draft, present.nextKey));
    settle(offered, true);
  };
  const names = [draft, ...draft.mappings].map(({ name }) => name).filter((name) => name !== '');
  return (
    <UnsavedStrip {...strip} onRestore={restore}>
      This browser has kept them: {names.join(', ')}.
      {stored &&
        stored.data.number !== number &&
        ` Someone has saved version ${stored.data.number} since. Restoring replaces it in the form; it stays among the versions.`}
      {isChanged && ' Restoring replaces what you have typed now, which is then offered in its turn.'}
    </UnsavedStrip>
  );
}
