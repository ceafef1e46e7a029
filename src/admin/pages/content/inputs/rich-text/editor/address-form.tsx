/**
 * Asks for the address of a link or of an image, below the toolbar.
 */
import { Box, Button, Group, Paper, TextInput } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useState } from 'react';
import { toFilePath } from '../../../../../../text/file-url.ts';
import { DropZone } from '../../../../../parts/files/drop-zone.tsx';
import { useUpload } from '../../../../../parts/files/use-upload.ts';
import { type AddressKind, findAddressProblem, toAddress } from './addresses.ts';

/** The form for the selected link or image, or for a new one. It is no `form`, since it stands in that of the asset. */
export function AddressForm({
  editor,
  kind,
  onClose,
}: {
  editor: Editor;
  kind: AddressKind;
  onClose: () => void;
}) {
  const present = editor.getAttributes(kind);
  const isThere = editor.isActive(kind);
  const [address, setAddress] = useState(String(present[kind === 'link' ? 'href' : 'src'] ?? ''));
  const [alt, setAlt] = useState(String(present.alt ?? ''));
  const [error, setError] = useState<string>();
  const { state, start, cancel } = useUpload(
    { onUploaded: (file) => setAddress(toFilePath(file)) },
    pictures,
  );
  const close = () => {
    onClose();
    editor.view.focus();
  };
  const apply = () => {
    const whole = toAddress(address.trim());
    const problem = findAddressProblem(kind, whole);
    setError(problem);
    if (problem !== undefined) return;
    if (kind === 'link') setLink(editor, whole);
    else setImage(editor, { src: whole, alt: alt.trim() });
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) apply();
    else return;
    event.preventDefault();
  };
  return (
    <Paper withBorder p="sm" role="group" aria-label={titles[kind]} onKeyDown={onKeyDown}>
      <Group gap="sm" align="flex-start">
        <TextInput
          label={`Address of the ${kind}`}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          error={error}
          inputMode="url"
          autoComplete="off"
          // In a dialog, Escape would close that as well.
          data-mantine-stop-propagation
          autoFocus
          flex="1 1 240px"
        />
        {kind === 'image' && (
          <TextInput
            label="What the image shows, for who cannot see it"
            value={alt}
            onChange={(event) => setAlt(event.currentTarget.value)}
            autoComplete="off"
            data-mantine-stop-propagation
            flex="1 1 240px"
          />
        )}
      </Group>
      {kind === 'image' && (
        <Box mt="sm">
          <DropZone label="the image" limits={pictures} state={state} onFiles={start} onCancel={cancel} />
        </Box>
      )}
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={apply}>
          Set the {kind}
        </Button>
        {kind === 'link' && isThere && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              editor.chain().extendMarkRange('link').unsetLink().run();
              close();
            }}
          >
            Remove the link
          </Button>
        )}
        <Button size="xs" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Paper>
  );
}

const pictures = { accept: ['image/*'] };

const titles: Record<AddressKind, string> = { link: 'Link', image: 'Image' };

/** Links the selection, or the whole link that it is in; without either, the address itself. */
function setLink(editor: Editor, href: string): void {
  const { empty } = editor.state.selection;
  if (empty && !editor.isActive('link')) {
    editor
      .chain()
      .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })
      .run();
  } else editor.chain().extendMarkRange('link').setLink({ href }).run();
}

function setImage(editor: Editor, { src, alt }: { src: string; alt: string }): void {
  if (editor.isActive('image')) editor.chain().updateAttributes('image', { src, alt }).run();
  else editor.chain().setImage({ src, alt }).run();
}
