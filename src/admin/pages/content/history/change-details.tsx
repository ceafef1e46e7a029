/**
 * One change of an asset: what it did, how the asset differs since, and a button that restores its state.
 */
import { Alert, Button, Group, List, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContentChange, ContentType, ContentVersion } from '../../../api.ts';
import { actionWords, nameOfActor } from '../../../parts/changes/actor-name.tsx';
import { assetById } from '../../../parts/data/asset-query.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { AssetDifference } from '../../../parts/difference/asset-difference.tsx';
import { useAction } from '../../../parts/forms/busy-button.tsx';
import { Section } from '../../../parts/layout/page.tsx';
import { Loading } from '../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../parts/problems/problem-alert.tsx';
import { describeClock } from '../../../parts/time/local-time.ts';
import { useMay } from '../../../roles.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import { stateIn, useRestore, versionToRestore } from './history-data.ts';
import { RestoreDialog } from './restore-dialog.tsx';

/** What is compared: the change with the state before it, or the state that it gave with the current one. */
type View = 'change' | 'now';

/** The details of a change; `current` is undefined when the asset does not exist now. */
export function ChangeDetails({
  id,
  type,
  change,
  release,
  current,
  onRestored,
}: {
  id: string;
  type: ContentType;
  change: ContentChange;
  /** The release whose draft was changed; absent for the live asset. */
  release?: string;
  current: StoredAsset | undefined;
  onRestored: (stored: StoredAsset) => void;
}) {
  const [view, setView] = useState<View>('change');
  const [isBrief, setIsBrief] = useState(true);
  const [isOpen, { open, close }] = useDisclosure(false);
  const { action, at, by, previousVersion, version } = change;
  const restorable = versionToRestore(change);
  // Restoring changes the live asset.
  const mayRestore = useMay('editor') && release === undefined;
  const before = useQuery(stateIn(id, previousVersion, release));
  const after = useQuery(stateIn(id, version, release));
  // Before its first change and after its last one, a draft of a live asset shows the live one.
  const isAtLive =
    release !== undefined && action === 'update' && (previousVersion === undefined || version === undefined);
  const live = useQuery({ ...assetById(id), enabled: isAtLive });
  const lent = isAtLive ? live.data?.data : undefined;
  const restored = restorable === version ? after : before;
  // The present state came from this change, and the one before it fits the type.
  const isPresent = action === 'update' && version !== undefined && current?.tag?.includes(version);
  const undoable = isPresent && before.data && !before.data.unfit ? previousVersion : undefined;
  const states =
    view === 'change'
      ? { before: before.data?.asset ?? lent, after: after.data?.asset ?? lent }
      : { before: restored.data?.asset, after: current?.data };
  const shown = view === 'change' ? [before, after, ...(isAtLive ? [live] : [])] : [restored];
  if (action === 'erase') return <Erased />;
  return (
    <Section
      title={`${actionWords[action]} by ${nameOfActor(by)}, ${describeClock(at)}`}
      actions={
        mayRestore &&
        restored.data &&
        (undoable ? (
          <UndoChange id={id} version={undoable} tag={current?.tag} onRestored={onRestored} />
        ) : (
          <Button variant="default" size="xs" onClick={open}>
            {action === 'delete' ? 'Restore the state before…' : 'Restore this state…'}
          </Button>
        ))
      }
    >
      <Stack gap="sm">
        <Group gap="md">
          <SegmentedControl
            aria-label="Compare"
            transitionDuration={0}
            value={view}
            // Safe: the values of the choices below.
            onChange={(value) => setView(value as View)}
            data={[
              { value: 'change', label: 'What changed' },
              { value: 'now', label: 'Compared with now' },
            ]}
          />
          <Switch
            label="Only differences"
            checked={isBrief}
            onChange={(event) => setIsBrief(event.currentTarget.checked)}
          />
        </Group>
        {shown.map(({ error }, index) => (
          <ProblemAlert key={index} error={error} title="The state could not be loaded" />
        ))}
        <Unfit type={type} state={restored.data} />
        {shown.some(({ isLoading }) => isLoading) && <Loading />}
        {shown.every(({ isLoading, error }) => !isLoading && !error) && (
          <AssetDifference type={type} states={states} withEqual={!isBrief} />
        )}
      </Stack>
      {restored.data && restorable !== undefined && (
        <RestoreDialog
          type={type}
          current={current}
          past={{ id, version: restorable, at, state: restored.data.asset }}
          isOpen={isOpen}
          onClose={close}
          onRestored={onRestored}
        />
      )}
    </Section>
  );
}

function Unfit({ type, state }: { type: ContentType; state: ContentVersion | undefined }) {
  if (!state?.unfit) return null;
  return (
    <Alert color="orange" variant="light" title="This state does not fit the current content type">
      <Text size="sm">It cannot be restored as a whole. You can restore single fields.</Text>
      <List size="sm">
        {state.unfit.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <strong>{labelOfPath(type, path)}</strong> {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Erased() {
  return (
    <Alert color="gray" title="Erased">
      The asset was erased with all its history. Nothing can be restored.
    </Alert>
  );
}

/** A button that restores `version`, the state before the change, unless someone has changed the asset with `tag` since. */
function UndoChange({
  id,
  version,
  tag,
  onRestored,
}: {
  id: string;
  version: string;
  tag: string | undefined;
  onRestored: (stored: StoredAsset) => void;
}) {
  const restore = useRestore();
  const undo = useAction(() => restore({ id, version, tag }), {
    onSuccess: (stored) => {
      notifications.show({ message: 'The change is undone', color: 'green' });
      onRestored(stored);
    },
  });
  return (
    <>
      <Button variant="default" size="xs" loading={undo.isPending} onClick={() => undo.run()}>
        Undo this change
      </Button>
      <ProblemAlert error={undo.error} title="The change was not undone" />
    </>
  );
}
