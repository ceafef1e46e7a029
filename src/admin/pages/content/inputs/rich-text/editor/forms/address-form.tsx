/**
 * Asks for the address of a link or of an embed, below the toolbar.
 */
import { Button, Group, Paper, TextInput } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { type KeyboardEvent, useState } from 'react';
import { writeEmbed } from '../embeds.ts';
import { embedAt, insertKeptBlock } from '../kept-parts.ts';
import { AddressInput } from './address-input.tsx';
import { findAddressProblem, toAddress } from './addresses.ts';

/** The form for the selected link or embed, or for a new one. It is no `form`, since it stands in that of the asset. */
export function AddressForm({
  editor,
  kind,
  onClose,
}: {
  editor: Editor;
  kind: 'link' | 'embed';
  onClose: () => void;
}) {
  const embed = kind === 'embed' ? embedAt(editor) : undefined;
  const isThere = embed !== undefined || (kind === 'link' && editor.isActive('link'));
  const [begun] = useState({
    address: String(
      embed?.address ?? (kind === 'link' ? editor.getAttributes('link').href : undefined) ?? '',
    ),
    caption: embed?.caption ?? '',
  });
  const [address, setAddress] = useState(begun.address);
  const [caption, setCaption] = useState(begun.caption);
  const [error, setError] = useState<string>();
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
    else insertKeptBlock(editor, writeEmbed({ address: whole, caption: caption.trim() }));
    close();
  };
  const remove = () => {
    if (kind === 'link') editor.chain().extendMarkRange('link').unsetLink().run();
    else editor.chain().deleteSelection().run();
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // What was typed goes by "Cancel" only.
      if (address === begun.address && caption === begun.caption) close();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) apply();
    else return;
    event.preventDefault();
  };
  return (
    <Paper p="sm" role="group" aria-label={titles[kind]} onKeyDown={onKeyDown}>
      <Group gap="sm" align="flex-start">
        <AddressInput
          label={`Address of the ${kind}`}
          description={
            kind === 'embed' ? 'Of a film, a map or another page, which your site shows there' : undefined
          }
          value={address}
          onChange={setAddress}
          error={error}
        />
        {kind === 'embed' && (
          <TextInput
            label="Caption"
            description="Stands below it; may be empty"
            value={caption}
            onChange={(event) => setCaption(event.currentTarget.value)}
            autoComplete="off"
            data-mantine-stop-propagation
            flex="1 1 240px"
          />
        )}
      </Group>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={apply}>
          {isThere ? 'Change' : 'Insert'} the {kind}
        </Button>
        {isThere && (
          <Button size="xs" variant="default" onClick={remove}>
            Remove the {kind}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Paper>
  );
}

const titles = { link: 'Link', embed: 'Embed' };

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
