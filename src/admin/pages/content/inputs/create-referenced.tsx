/**
 * Creates an asset for a reference, in a dialog above the form that refers to it. It asks before it closes with unsaved texts, which the
 * browser keeps if the page goes.
 */
import { Box, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ContentType } from '../../../api.ts';
import { Dialog } from '../../../parts/confirm/dialog.tsx';
import { contentType, useTypeNames } from '../../../parts/data/lists.ts';
import { LeaveGuard } from '../../../parts/forms/form-bar.tsx';
import { Loaded } from '../../../parts/loading/loading.tsx';
import { useDraftsOnly, useFormRelease } from '../../../parts/releases/work-release.ts';
import { AssetForm } from '../asset/asset-form.tsx';
import type { CreateReferencedProps } from '../draft/form-context.ts';
import { toPlace, useUnsavedDraft } from '../draft/unsaved-draft.tsx';
import { useAssetForm } from '../draft/use-asset-form.ts';

/** The dialog. `onCreated` receives the reference once the asset is stored. */
export function CreateReferenced({ className, onCreated, onClose }: CreateReferencedProps) {
  const type = useQuery(contentType(className));
  const nameOf = useTypeNames();
  const release = useFormRelease();
  const [isChanged, setIsChanged] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const close = () => (isChanged ? setIsAsking(true) : onClose());
  return (
    <Dialog opened onClose={close} title={`New ${nameOf(className)}`} size="xl">
      <LeaveGuard isChanged={isChanged} />
      <Loaded query={type} what={nameOf(className)}>
        {(data) =>
          release !== undefined && (
            <NewAssetForm
              type={data}
              release={release}
              onChanged={setIsChanged}
              onCreated={onCreated}
              renderQuestion={(forget) =>
                isAsking && (
                  <Group mb="md" role="alert">
                    <Text size="sm">What you have typed here is not saved.</Text>
                    <Button
                      size="xs"
                      color="red"
                      onClick={() => {
                        forget();
                        onClose();
                      }}
                    >
                      Discard it
                    </Button>
                    <Button size="xs" variant="default" onClick={() => setIsAsking(false)}>
                      Go on
                    </Button>
                  </Group>
                )
              }
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** The form. What is typed into it is kept in the browser as that of the page of a new asset of this type, where it is offered as well. */
function NewAssetForm({
  type,
  release,
  onChanged,
  onCreated,
  renderQuestion,
}: {
  type: ContentType;
  release: string | null;
  onChanged: (isChanged: boolean) => void;
  onCreated: (reference: { _ref: string; _type: string }) => void;
  /** Renders what is asked before the dialog closes; `forget` drops what was typed. */
  renderQuestion: (forget: () => void) => ReactNode;
}) {
  const form = useAssetForm(type, {
    begun: undefined,
    place: { release, isDrafted: false },
    draftsOnly: useDraftsOnly(),
    onCreated: ({ data: { _id, _type } }) => {
      unsaved.moveTo(toPlace(release, _id));
      onCreated({ _ref: _id, _type });
    },
  });
  const unsaved = useUnsavedDraft(type, form, toPlace(release, 'new'));
  const isChanged = form.changed.size > 0;
  useEffect(() => onChanged(isChanged), [onChanged, isChanged]);
  return (
    // Below the head of the dialog.
    <Box style={{ '--form-bar-top': '60px' }}>
      {renderQuestion(unsaved.forget)}
      <AssetForm type={type} form={form} unsaved={unsaved} />
    </Box>
  );
}
