/**
 * What can be done with an asset besides saving it, in a menu.
 */
import { Button, Popover, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ContentType } from '../../../api.ts';
import { pathOfType } from '../../../parts/data/load-titles.ts';
import { OpenIcon } from '../../../parts/layout/icons.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';
import type { AssetFormState } from '../draft/use-asset-form.ts';
import { DeleteAsset, type Deletion } from './delete-asset.tsx';
import { WithdrawAsset } from './withdraw-asset.tsx';

/** The actions on the asset `stored`. */
export function AssetActions({
  stored,
  type,
  form,
  preview,
  live,
  deletion,
  onDeleted,
}: {
  stored: StoredAsset;
  type: ContentType;
  form: AssetFormState;
  /** Absent where the store has no drafts. */
  preview: { readonly isOpen: boolean; readonly toggle: () => void } | undefined;
  /** The live asset, if the user may withdraw it. */
  live: StoredAsset | undefined;
  /** How the asset is deleted, and the release in which that is drafted; absent if the user may not delete it. */
  deletion: { readonly kind: Deletion; readonly release: string | undefined } | undefined;
  onDeleted: () => void;
}) {
  const [asked, setAsked] = useState<'withdraw' | 'delete'>();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setAsked(undefined);
  const act = (action: () => void) => () => {
    setIsOpen(false);
    action();
  };
  const look = { variant: 'subtle', justify: 'flex-start', size: 'xs' } as const;
  return (
    <>
      <Popover position="bottom-start" trapFocus withRoles opened={isOpen} onChange={setIsOpen}>
        <Popover.Target>
          <Button
            variant="default"
            size="xs"
            rightSection={<OpenIcon size={16} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            Actions
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Actions" p="xs">
          <Stack gap={0}>
            {preview && (
              <Button {...look} aria-expanded={preview.isOpen} onClick={act(preview.toggle)}>
                Preview
              </Button>
            )}
            <Button {...look} component={Link} to={`${pathOfType(type.class)}/new?from=${stored.data._id}`}>
              Duplicate
            </Button>
            {live && (
              <Button {...look} onClick={act(() => setAsked('withdraw'))}>
                Withdraw
              </Button>
            )}
            {deletion && (
              <Button {...look} onClick={act(() => setAsked('delete'))}>
                Delete
              </Button>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {live && (
        <WithdrawAsset
          live={live}
          type={type}
          isChanged={form.changed.size > 0}
          isOpen={asked === 'withdraw'}
          onClose={close}
          onWithdrawn={form.showStored}
        />
      )}
      {deletion && (
        <DeleteAsset
          stored={stored}
          type={type}
          deletion={deletion.kind}
          release={deletion.release}
          isOpen={asked === 'delete'}
          onClose={close}
          onDeleted={onDeleted}
        />
      )}
    </>
  );
}
