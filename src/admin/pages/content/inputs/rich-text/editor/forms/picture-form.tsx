/**
 * Asks for a picture and its alternative text, below the toolbar: a file that is uploaded or chosen, or an address.
 */
import { Button, Group, Image, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { type KeyboardEvent, useRef, useState } from 'react';
import { toFilePath } from '../../../../../../../text/file-url.ts';
import { admin, answer } from '../../../../../../api.ts';
import { serverUrl } from '../../../../../../base-path.ts';
import { DropZone } from '../../../../../../parts/files/drop-zone.tsx';
import { describeFile } from '../../../../../../parts/files/file-address.ts';
import { useUpload } from '../../../../../../parts/files/use-upload.ts';
import { AddressInput } from './address-input.tsx';
import { findAddressProblem, toAddress } from './addresses.ts';
import { NewestPictures } from './newest-pictures.tsx';

/** The form for the selected picture, or for a new one. It is no `form`, since it stands in that of the asset. */
export function PictureForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const isThere = editor.isActive('image');
  const present = editor.getAttributes('image');
  const [begun] = useState({ address: String(present.src ?? ''), alt: String(present.alt ?? '') });
  const [address, setAddress] = useState(begun.address);
  const [alt, setAlt] = useState(begun.alt);
  const [isTyping, setIsTyping] = useState(false);
  const [error, setError] = useState<string>();
  const altInput = useRef<HTMLInputElement>(null);
  const whole = toAddress(address.trim());
  const [settled] = useDebouncedValue(whole, 400);
  // Who types an address sees its picture after a pause.
  const shown = isTyping ? settled : whole;
  const take = (file: { hash: string; name: string; mediaType: string }) => {
    setAddress(toFilePath(file));
    setIsTyping(false);
    setError(undefined);
  };
  const { state, start, cancel } = useUpload({ onUploaded: take }, pictures);
  const close = () => {
    onClose();
    editor.view.focus();
  };
  const apply = () => {
    const problem =
      address.trim() === '' && !isTyping
        ? 'Upload or choose a picture first'
        : findAddressProblem('image', whole);
    setError(problem);
    if (problem !== undefined) return;
    const attrs = { src: whole, alt: alt.trim() };
    if (isThere) editor.chain().updateAttributes('image', attrs).run();
    else insertPicture(editor, attrs);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys in the dialog that chooses a file are not for this form.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (event.key === 'Escape') {
      // What was typed goes by "Cancel" only.
      if (alt === begun.alt && (!isTyping || address === begun.address)) close();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) apply();
    else return;
    event.preventDefault();
  };
  return (
    <Paper p="sm" role="group" aria-label="Picture" onKeyDown={onKeyDown}>
      <Stack gap="sm" align="stretch">
        {whole === '' && !isTyping && (
          <NewestPictures
            onChoose={(file) => {
              take(file);
              altInput.current?.focus();
            }}
          />
        )}
        <DropZone
          label="the picture"
          limits={pictures}
          state={state}
          onFiles={start}
          onCancel={cancel}
          onChoose={take}
          shown={
            findAddressProblem('image', shown) === undefined && <ShownPicture key={shown} address={shown} />
          }
        >
          <Button
            variant="default"
            size="xs"
            aria-expanded={isTyping}
            aria-label="Address of a picture"
            onClick={() => setIsTyping(!isTyping)}
          >
            Address
          </Button>
        </DropZone>
        {isTyping && (
          <AddressInput label="Address of the picture" value={address} onChange={setAddress} error={error} />
        )}
        <TextInput
          ref={altInput}
          label="Alternative text"
          description="Describes the picture for people who do not see it"
          value={alt}
          onChange={(event) => setAlt(event.currentTarget.value)}
          autoComplete="off"
          data-mantine-stop-propagation
        />
        {!isTyping && error !== undefined && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={apply}>
          {isThere ? 'Change' : 'Insert'} the picture
        </Button>
        {isThere && (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              editor.chain().deleteSelection().run();
              close();
            }}
          >
            Remove the picture
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

/** Inserts a picture at the cursor; below a block that is selected, which stays. */
function insertPicture(editor: Editor, attrs: { src: string; alt: string }): void {
  const { selection } = editor.state;
  if (selection instanceof NodeSelection && selection.node.isBlock) {
    const paragraph = { type: 'paragraph', content: [{ type: 'image', attrs }] };
    editor.chain().insertContentAt(selection.to, paragraph).run();
  } else editor.chain().setImage(attrs).run();
}

/** A picture with its name and its sizes: those of a file of the platform, or as many pixels as the browser reads. */
function ShownPicture({ address }: { address: string }) {
  const [, hash = '', name = ''] = /^\/files\/([0-9a-f]{64})\/([^?]*)/.exec(address) ?? [];
  const { data } = useQuery({
    queryKey: ['files', 'hash', hash],
    queryFn: ({ signal }) => answer(admin.listFiles({ query: { search: hash, limit: 1 }, signal })),
    enabled: hash !== '',
  });
  const [pixels, setPixels] = useState('');
  const [file] = data?.items ?? [];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Image
        src={hash === '' ? address : serverUrl + address}
        alt=""
        w={120}
        mah={120}
        fit="contain"
        flex="none"
        referrerPolicy="no-referrer"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setPixels(`${naturalWidth} × ${naturalHeight} pixels`)
        }
        onError={() => setPixels('The picture could not be loaded from this address.')}
      />
      <Stack gap={4} miw={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {decode(name) || address}
        </Text>
        <Text size="xs">{file ? describeFile(file) : pixels}</Text>
      </Stack>
    </Group>
  );
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
