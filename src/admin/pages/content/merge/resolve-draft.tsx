/**
 * Resolves what the live asset and its draft disagree on: accepts the live asset as the state that the draft begins with.
 */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { admin, answer, type PublicationFinding } from '../../../api.ts';
import { LastSave } from '../../../parts/changes/last-save.tsx';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { contentType } from '../../../parts/data/content-types.ts';
import { type AssetStates, assetStates, refreshDrafts } from '../../../parts/releases/release-data.ts';
import { MergeValues } from './merge-values.tsx';

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
