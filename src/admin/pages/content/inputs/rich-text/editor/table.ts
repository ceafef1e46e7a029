/**
 * Tables. A row knows the section that it came from (`<thead>`, `<tbody>`); rows that the user adds get one when the text is written.
 */
import { type Editor, Node } from '@tiptap/core';
import { tableEditing } from '@tiptap/pm/tables';

const roles: Record<string, string> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
};

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  extendNodeSchema: ({ name }) => (roles[name] === undefined ? {} : { tableRole: roles[name] }),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: ({ HTMLAttributes }) => ['table', HTMLAttributes, ['tbody', 0]],
  addProseMirrorPlugins: () => [tableEditing()],
});

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
});

const span = (name: 'colspan' | 'rowspan') => ({
  default: 1,
  parseHTML: (element: HTMLElement) =>
    Math.max(1, Number.parseInt(element.getAttribute(name) ?? '1', 10) || 1),
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === 1 ? {} : { [name]: attributes[name] },
});

const createCell = (name: 'tableCell' | 'tableHeader', tag: 'td' | 'th') =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({
      colspan: span('colspan'),
      rowspan: span('rowspan'),
      colwidth: { default: null, rendered: false, parseHTML: () => null },
    }),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** The nodes of tables. */
export const tableNodes = [Table, TableRow, createCell('tableCell', 'td'), createCell('tableHeader', 'th')];

/** Inserts an empty table, whose first row is one of header cells, and goes to its first cell. */
export function insertTable(editor: Editor, { rows, columns }: { rows: number; columns: number }): void {
  const { table, tableRow, tableCell, tableHeader, paragraph } = editor.schema.nodes;
  if (!table || !tableRow || !tableCell || !tableHeader || !paragraph) return;
  const toRow = (_: unknown, row: number) => {
    const cell = row === 0 ? tableHeader : tableCell;
    return tableRow.create(
      null,
      Array.from({ length: columns }, () => cell.create(null, paragraph.create())),
    );
  };
  const node = table.create(null, Array.from({ length: rows }, toRow));
  const { $from, $to } = editor.state.selection;
  const isEmptyLine = $from.parent.isTextblock && $from.parent.content.size === 0 && $from.depth === 1;
  const range = isEmptyLine ? { from: $from.before(), to: $from.after() } : { from: $to.pos, to: $to.pos };
  editor.view.focus();
  editor
    .chain()
    .insertContentAt(range, node.toJSON())
    .command(({ tr, commands }) => {
      let first: number | undefined;
      tr.doc.nodesBetween(Math.max(0, range.from - 1), tr.doc.content.size, (one, position) => {
        if (first === undefined && one.type === tableHeader) first = position + 2;
        return first === undefined;
      });
      return first === undefined || commands.setTextSelection(first);
    })
    .run();
}
