/**
 * Resolves what two people, or an asset and its draft, disagree on: says what keeps a draft from being published, asks which values to keep, and accepts the live
 * asset as the state that the draft begins with.
 */
import { Button, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { admin, answer, type ContentType, type Place, type PublicationFinding } from '../../../api.ts';
import { LastSave } from '../../../parts/changes/last-save.tsx';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { sayPattern } from '../../../parts/data/describe-pattern.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { contentType } from '../../../parts/data/lists.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { compareField } from '../../../parts/difference/compare-values.ts';
import { DifferenceView } from '../../../parts/difference/difference-view.tsx';
import { isSameValue, type MergeConflict } from '../../../parts/difference/same-value.ts';
import { ValueView } from '../../../parts/difference/value-view.tsx';
import { MergeDialog, type Side } from '../../../parts/forms/merge-dialog.tsx';
import { type AssetStates, assetStates, refreshDrafts } from '../../../parts/releases/release-data.ts';

/** The codes of findings that a rebase resolves, each with what it means for the draft. */
const questions: Readonly<Record<string, { title: string; consequence: string; action: string }>> = {
  edit_conflict: {
    title: 'The live asset has changed',
    consequence: 'The draft stays as it is, and replaces what the live asset has now when it is published.',
    action: 'Keep the draft',
  },
  not_found: {
    title: 'The live asset was deleted',
    consequence: 'The draft becomes a new asset with the values that the deleted one had, and your changes.',
    action: 'Create it again',
  },
  id_in_use: {
    title: 'The asset is live already',
    consequence: 'The draft becomes a change of the live asset.',
    action: 'Change the live asset',
  },
};

/** A button that opens the dialog, if the finding is one that it resolves. `onResolved` receives the asset as it is in the release then. */
export function ResolveButton({
  release,
  finding,
  onResolved,
}: {
  release: string;
  finding: PublicationFinding;
  onResolved?: (drafted: NonNullable<AssetStates['drafted']>) => void;
}) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const client = useQueryClient();
  const type = useQuery({ ...contentType(finding.type), enabled: isOpen }).data;
  const question = questions[finding.code];
  if (!question) return null;
  const { asset, live, conflicts = [] } = finding;
  const rebase = async (theirs: readonly string[]) => {
    const body = { theirs: [...theirs], ...(live !== undefined && { live }) };
    try {
      await answer(admin.rebaseDraft({ path: { release, asset }, body }));
    } finally {
      await refreshDrafts(client);
    }
    const { drafted } = await client.fetchQuery(assetStates(asset, release));
    close();
    if (drafted) onResolved?.(drafted);
  };
  return (
    <>
      <Button variant="default" size="xs" mt="xs" onClick={open}>
        Resolve…
      </Button>
      {isOpen && conflicts.length > 0 && type && (
        <MergeValues
          type={type}
          changes={{
            conflicts: conflicts.map(({ path, base, theirs, yours }) => ({
              name: path,
              base,
              theirs,
              mine: yours,
            })),
            others: [],
          }}
          lastSave={<LastSave id={asset} release={undefined} fields={conflicts.map(({ path }) => path)} />}
          action="Keep these values"
          after="The draft keeps them; nothing goes live yet."
          onClose={close}
          onMerge={rebase}
        />
      )}
      {conflicts.length === 0 && (
        <Confirm {...question} color="indigo" isOpen={isOpen} onClose={close} onConfirm={() => rebase([])}>
          {isOpen && finding.code === 'edit_conflict' && <LastSave id={asset} release={undefined} />}
        </Confirm>
      )}
    </>
  );
}

/** The dialog for the fields of a type. */
export function MergeValues({
  type,
  ...rest
}: { type: ContentType } & Omit<ComponentProps<typeof MergeDialog>, 'labelOf' | 'children'>) {
  return (
    <MergeDialog {...rest} labelOf={(name) => labelOfPath(type, name)}>
      {(conflict, side) => <OneValue type={type} conflict={conflict} side={side} />}
    </MergeDialog>
  );
}

/** One of the two values, as it differs from what both began with, or alone where it has nothing in common with that. */
function OneValue({ type, conflict, side }: { type: ContentType; conflict: MergeConflict; side: Side }) {
  const { name, base } = conflict;
  if (isSameValue(base, conflict[side])) return <Text size="sm">Not changed.</Text>;
  const { field, difference } = compareField(type, name, { before: base, after: conflict[side] });
  if (difference.kind !== 'replaced')
    return <DifferenceView name={labelOfPath(type, name)} field={field} difference={difference} />;
  return (
    <Text size="sm" component="div">
      <ValueView field={field} value={difference.after} />
    </Text>
  );
}

/** The words; `linkTo` draws the name of a field, leading to its input. */
export function FindingText({
  finding,
  linkTo,
}: {
  finding: PublicationFinding;
  linkTo: (place: Place) => ReactNode;
}) {
  const { problems } = finding;
  if (!problems) return <Text size="sm">{describe(finding)}</Text>;
  return (
    <List size="sm">
      {problems.map((place) => (
        <List.Item key={`${place.path} ${place.message}`}>
          {linkTo(place)} {sayPattern(place.message)}
        </List.Item>
      ))}
    </List>
  );
}

function describe({ code, action, conflicts = [], message }: PublicationFinding): string {
  if (code === 'not_found') return 'Someone has deleted the live asset that this draft changes.';
  if (code === 'id_in_use') return 'The asset that this draft creates is live already.';
  if (code !== 'edit_conflict') return `${message}.`;
  if (action === 'delete') return 'Someone has changed the live asset since it was to be deleted.';
  if (conflicts.length === 0) return 'Someone has changed the live asset since this draft began.';
  return `Someone has changed ${countOf(conflicts.length, 'field')} of the live asset that this draft changes, too.`;
}
