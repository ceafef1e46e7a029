/**
 * The editor of rich text. It reports a text only once the user has changed something, and the text that it began with when that
 * is undone.
 */
import './rich-text-editor.css';
import { Box, Input, Text } from '@mantine/core';
import { Editor } from '@tiptap/core';
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { UploadStatus } from '../../../../../parts/files/upload-status.tsx';
import { ImageIcon, LinkIcon, TableIcon } from '../../../../../parts/layout/icons.ts';
import { AddressForm } from './address-form.tsx';
import type { AddressKind } from './addresses.ts';
import { cleanPaste } from './clean-paste.ts';
import { extensions } from './extensions.ts';
import type { OpenedText } from './open-text.ts';
import { TableForm } from './table-form.tsx';
import { Toolbar } from './toolbar.tsx';
import { createPictureHandlers, usePictures } from './use-pictures.ts';
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

/** Edits a text. Tab leaves it, as it leaves every field. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { name, label, description, required, error, count } = props;
  const id = useId();
  const { editor, home, pictures, dropped } = useEditor(props, id);
  const [asked, setAsked] = useState<AddressKind | 'table'>();
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
      <Box mt={4} className="colophon-rich-text" mod={{ invalid: error !== undefined }}>
        {editor && (
          <Toolbar
            editor={editor}
            label={`Formatting of ${name}`}
            controls={id}
            dialogs={[
              {
                name: 'Link',
                icon: LinkIcon,
                keys: 'Control+K',
                isOn: (one) => one.isActive('link'),
                run: () => setAsked('link'),
              },
              {
                name: 'Image',
                icon: ImageIcon,
                isOn: (one) => one.isActive('image'),
                run: () => setAsked('image'),
              },
              {
                name: 'Table',
                icon: TableIcon,
                isPossible: (one) => !one.isActive('table'),
                run: () => setAsked('table'),
              },
            ]}
          />
        )}
        {editor && asked === 'table' && <TableForm editor={editor} onClose={() => setAsked(undefined)} />}
        {editor && asked && asked !== 'table' && (
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
      {count !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {count}
        </Text>
      )}
    </Input.Wrapper>
  );
}

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
        // In a list it would indent the item, and not leave the field.
        handleDOMEvents: { keydown: (_, event) => event.key === 'Tab' },
      },
    });
  }, [editor, attributes]);
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
    dir: 'auto',
    'data-path': path,
    tabindex: '0',
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
    ...(required ? { 'aria-required': 'true' } : {}),
    ...(error === undefined ? {} : { 'aria-invalid': 'true' }),
  };
}
