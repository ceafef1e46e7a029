/**
 * The editor of rich text. It reports a text only once the user has changed something, and the text that it began with when that
 * is undone.
 */
import './rich-text-editor.css';
import { Box, Input, Text } from '@mantine/core';
import { Editor } from '@tiptap/core';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { UploadStatus } from '../../../../../parts/files/upload-status.tsx';
import { EmbedIcon, ImageIcon, LinkIcon, TableIcon } from '../../../../../parts/layout/icons.ts';
import type { EditorAction } from './actions.ts';
import { BlockList } from './blocks/block-list.tsx';
import { extensions } from './extensions.ts';
import { AddressForm } from './forms/address-form.tsx';
import { PictureForm } from './forms/picture-form.tsx';
import { TableForm } from './forms/table-form.tsx';
import { embedAt } from './kept-parts.ts';
import type { OpenedText } from './open-text.ts';
import { cleanPaste } from './paste/clean-paste.ts';
import { createPictureHandlers, usePictures } from './paste/use-pictures.ts';
import { createTabHandler } from './tab-key.ts';
import { Toolbar } from './toolbar.tsx';
import { createHtmlWriter } from './write-html.ts';

/** What the editor is given. Another text needs another `key`. */
export interface RichTextEditorProps {
  /** The label in words, for what has no other. */
  readonly name: string;
  readonly path: string;
  readonly label?: ReactNode;
  readonly description?: string | undefined;
  readonly required?: boolean;
  readonly error?: string | undefined;
  /** The text that it begins with, as it was and as it is opened. */
  readonly begun: OpenedText & { readonly html: string };
  readonly onChange: (html: string) => void;
  /** How many characters the HTML has and may have. */
  readonly count?: ReactNode;
}

/** Edits a text. Tab leaves it, as it leaves every field, except in a table. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { name, label, description, required, error, count } = props;
  const id = useId();
  const { editor, home, pictures, dropped } = useEditor(props, id);
  const [asked, setAsked] = useState<Dialog>();
  const [dialogs] = useState(() => createDialogs(setAsked));
  useEffect(() => {
    if (editor) editor.storage.blockMenu.dialogs = dialogs.filter(({ name: one }) => one !== 'Link');
  }, [editor, dialogs]);
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={error}
      withAsterisk={required === true}
      labelElement="div"
      labelProps={{ onClick: () => editor?.commands.focus() }}
      descriptionProps={{ id: `${id}-description` }}
      errorProps={{ id: `${id}-error` }}
    >
      <Box
        mt={4}
        mb={description === undefined ? 0 : 5}
        className="colophon-rich-text"
        mod={{ invalid: error !== undefined }}
      >
        {editor && (
          <Toolbar editor={editor} label={`Formatting of ${name}`} controls={id} dialogs={dialogs} />
        )}
        {editor && <BlockList editor={editor} label={`Blocks for ${name}`} />}
        {editor && asked === 'table' && <TableForm editor={editor} onClose={() => setAsked(undefined)} />}
        {editor && asked === 'picture' && <PictureForm editor={editor} onClose={() => setAsked(undefined)} />}
        {editor && (asked === 'link' || asked === 'embed') && (
          <AddressForm key={asked} editor={editor} kind={asked} onClose={() => setAsked(undefined)} />
        )}
        <Box
          ref={home}
          onKeyDown={(event) => {
            if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            setAsked('link');
          }}
        />
      </Box>
      <UploadStatus state={pictures.state} onCancel={pictures.cancel} />
      <Text size="xs" role="status" className="colophon-pasted">
        {dropped}
      </Text>
      {count}
    </Input.Wrapper>
  );
}

type Dialog = 'link' | 'picture' | 'table' | 'embed';

/** The buttons that open a dialog below the toolbar. */
const createDialogs = (ask: (dialog: Dialog) => void): readonly EditorAction[] => [
  {
    name: 'Link',
    icon: LinkIcon,
    keys: 'Control+K',
    isOn: (editor) => editor.isActive('link'),
    run: () => ask('link'),
  },
  {
    name: 'Table',
    icon: TableIcon,
    isPossible: (editor) => !editor.isActive('table'),
    run: () => ask('table'),
  },
  {
    name: 'Picture',
    icon: ImageIcon,
    isOn: (editor) => editor.isActive('image'),
    run: () => ask('picture'),
  },
  {
    name: 'Embed',
    icon: EmbedIcon,
    isOn: (editor) => embedAt(editor) !== undefined,
    // Cells that are selected together have no line for it.
    isPossible: (editor) => embedAt(editor)?.isPlain !== false && !('$anchorCell' in editor.state.selection),
    run: () => ask('embed'),
  },
];

function useEditor(props: RichTextEditorProps, id: string) {
  const home = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const pictures = usePictures(editor);
  const [dropped, setDropped] = useState('');
  const take = useEffectEvent(pictures.take);
  const report = useEffectEvent(props.onChange);
  const read = useEffectEvent(() => props);
  useEffect(() => {
    const { begun } = read();
    const created = new Editor({
      element: home.current,
      extensions,
      content: begun.content.toJSON(),
      // The styles are in a file.
      injectCSS: false,
      // What is pasted is text, and no Markdown.
      enablePasteRules: false,
    });
    const first = created.state.doc;
    const write = createHtmlWriter();
    created.on('update', () => {
      const { doc } = created.state;
      report(doc.eq(first) ? begun.html : write(doc));
    });
    setEditor(created);
    return () => created.destroy();
  }, []);
  const [handleTab] = useState(createTabHandler);
  const attributes = JSON.stringify(toAttributes(props, id));
  useEffect(() => {
    editor?.setOptions({
      editorProps: {
        attributes: JSON.parse(attributes),
        transformPastedHTML: (html) => {
          const cleaned = cleanPaste(html);
          setDropped(cleaned.dropped);
          return cleaned.html;
        },
        ...createPictureHandlers((files, at) => take(files, at)),
        handleDOMEvents: { keydown: handleTab },
      },
    });
  }, [editor, attributes, handleTab]);
  return { editor, home, pictures, dropped };
}

/** The attributes of the text itself, by which the form finds it and screen readers name it. */
function toAttributes(
  { name, path, description, required, error }: RichTextEditorProps,
  id: string,
): Record<string, string> {
  const described = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': name,
    'data-path': path,
    tabindex: '0',
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
    ...(required ? { 'aria-required': 'true' } : {}),
    ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
  };
}
