/** Rich text in the form of an asset: the editor, the HTML source and the preview. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const folder = makeTypesFolder(`type Story @contentType(class: "x.Story") {
  title: String @title
  body: RichText @constraint(maxLength: 800)
  texts: [RichText!]
}
`);

/** Texts that come back from the editor as they are; what is typed at their ends stands in place of the `|`. */
const kept = [
  'Plain, <b>bold</b> and <i>italic|</i>',
  '<p>One</p>\n<p>Two  spaces, a&nbsp;hard one &amp; &lt;signs&gt;|</p>\n',
  '<h2>Head</h2>\r\n<p>with <a title="T" href="/a?b=1&amp;c=2" target="_blank">a link</a><br />and<br />breaks|</p>',
  '<ul>\n  <li>one</li>\n  <li>two\n    <ol start="3">\n      <li><p>three|</p></li>\n    </ol>\n  </li>\n</ul>',
  '<ul><li><ul><li>deep|</li></ul></li></ul>',
  '<blockquote>said</blockquote><hr><blockquote><p>a</p><p>b|</p></blockquote>',
  '<p><img alt="A boat" src="/boat.png"></p><p>wrapped\n   line, <em>em\nphasis|</em></p>',
  '<pre><code class="language-js">if (a &lt; b) {\n\n  c()\n}|</code></pre>',
  '<p><s>gone</s> <del>too</del> <u>under</u> <code>co de</code> <strong>a</strong></p><p>|</p>',
];

/** Texts with parts that the editor does not know or only keeps. */
const keptParts = [
  '<table>\n  <thead>\n    <tr><th>A</th><th colspan="2">B</th></tr>\n  </thead>\n  <tbody class="x">\n    <tr><td>1</td><td><p>2</p></td><td>3</td></tr>\n  </tbody>\n</table>\n<p>|</p>',
  '<table class="wide" border="1"><tr><td>1</td><td></td></tr></table><p>|</p>',
  '<h2 id="top" style="text-align:center">Head</h2><p class="lead" style="color: red">H<sub>2</sub>O, m<sup>2|</sup></p>',
  '<section data-a="1"><p class="a">In</p>\n</section>\n<!-- note -->\n<p>|</p>',
  '<p>Press <kbd class="key">Ctrl</kbd> in <span lang="fr">mots</span>|</p><figure><img src="/a.png"><figcaption>A</figcaption></figure>',
  '<table><caption>T</caption><colgroup><col width="9"></colgroup><tbody><tr><td>1</td></tr></tbody></table><p>|</p>',
  '<p>See <a href="/a"><code>a</code></a>, <b><code>b</code></b>, <em>read <a href="/b"><s>or</s> <strong>so</strong></a></em> and\u00a0more|</p>',
  'Ab<br>ove\n<h2>Head</h2>\n<ul><!-- a -->\n<li>One</li>\n<!-- b --></ul>\n<figure><img src="/a.png" alt=""/></figure>\n<pre>plain</pre>\nBelow|\n<hr>',
  '<ul><li><input type="checkbox"> Do it|</li></ul>',
];

/** Texts that do not, and a reason that the form gives. */
const lost = [
  ['<p>Caf&eacute;</p>', 'Caf&eacute;'],
  ['<p><a href="javascript:alert(1)">x</a></p>', 'the tag <a>'],
  ['<p>open', '“<p>open” is written'],
  ['<p><span data-colophon-break="<script>">x</span></p>', 'the attribute data-colophon-break of <span>'],
  ['<p>a<!-- b --></p>', 'comments'],
] as const;

describeJourneys(
  'rich text',
  ({ instance, openSignedIn }) => {
    const create = async (body: object) =>
      (await instance().services.content.create({ _type: 'x.Story', title: 'Story', ...body }, {})).asset._id;
    const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
    const open = (id: string) => openSignedIn(`/admin/content/x.Story/${id}`);

    it('opens in the editor what comes back unchanged, and all else as HTML with the reason', async () => {
      const texts = [...kept.map((text) => text.replace('|', '')), ...lost.map(([text]) => text)];
      const id = await create({ texts });
      const page = await open(id);
      for (const [index] of kept.entries()) {
        await inputOf(page, `Texts ${index + 1}`).press('Control+End');
        await page.keyboard.type('!');
        await page.keyboard.press('Backspace');
      }
      await page.getByText('All changes saved').waitFor();
      for (const [index] of kept.entries()) {
        await inputOf(page, `Texts ${index + 1}`).press('Control+End');
        await page.keyboard.type('!');
      }
      const pages = page.getByRole('navigation', { name: 'Pages of Texts' });
      for (const [index, [text, reason]] of lost.entries()) {
        const name = `Texts ${kept.length + index + 1}`;
        if (kept.length + index === 10) await pages.getByRole('button', { name: 'Next' }).click();
        await page
          .getByRole('note', { name: `${name} is shown as HTML` })
          .getByText(reason)
          .waitFor();
        expect(await inputOf(page, name).inputValue()).toBe(text);
      }
      await save(page);
      expect((await get(id)).texts).toEqual([
        ...kept.map((text) => text.replace('|', '!')),
        ...lost.map(([text]) => text),
      ]);
      await finish(page);
    });

    it('keeps tables, attributes, and what the editor does not know', async () => {
      const id = await create({ texts: keptParts.map((text) => text.replace('|', '')) });
      const page = await open(id);
      for (const [index] of keptParts.entries()) {
        const text = inputOf(page, `Texts ${index + 1}`);
        await expect.poll(() => text.getAttribute('contenteditable'), { timeout: 9000 }).toBe('true');
        const last = text.locator('p').last();
        await last.click();
        await page.keyboard.press('End');
        await page.keyboard.type('!');
      }
      await expectAccessible(page);
      await save(page);
      expect((await get(id)).texts).toEqual(keptParts.map((text) => text.replace('|', '!')));
      await finish(page);
    });

    it('makes tables by keyboard, and completes the addresses of links', async () => {
      const id = await create({});
      const page = await open(id);
      const body = inputOf(page, 'Body');
      await body.focus();
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await page.getByText('3 rows, 3 columns').waitFor();
      for (const key of ['ArrowUp', 'ArrowLeft']) await page.keyboard.press(key);
      await page.getByText('2 rows, 2 columns').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await page.keyboard.type('Head');
      await page.getByRole('button', { name: 'Row below' }).click();
      await page.getByRole('button', { name: 'Column after' }).click();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('cell');
      await page.getByRole('button', { name: 'Align to the centre' }).click();
      await page.getByRole('button', { name: 'Row below' }).click();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('button', { name: 'Delete row' }).click();
      await expectAccessible(page);
      await expectToFit(page);
      await save(page);
      const table =
        '<table><thead><tr><th>Head</th><th></th><th></th></tr></thead><tbody>' +
        '<tr><td><p style="text-align: center">cell</p></td><td></td><td></td></tr><tr><td></td><td></td><td></td></tr></tbody></table>';
      expect((await get(id)).body).toBe(table);
      await page.reload();
      await body.locator('th').first().waitFor();
      await body.getByText('Head').click();
      await page.keyboard.press('Home');
      await caretIsKnown(page);
      await expect.poll(() => page.evaluate('getSelection().focusOffset')).toBe(0);
      const address = page.getByLabel('Address of the link');
      const refuse = async (typed: string, reason: string) => {
        await address.fill(typed);
        await address.press('Enter');
        await page.getByText(reason).waitFor();
      };
      await page.keyboard.press('Control+k');
      await refuse('nowhere', 'The address must begin with one of http');
      await refuse('https://nowhere', '“nowhere” leads nowhere');
      await refuse('mailto:x', 'An e-mail address has the form');
      await address.fill('www.example.com/a');
      await address.press('Enter');
      await expect.poll(() => focusedName(page)).toBe('Body');
      await page.keyboard.press('ArrowLeft');
      await caretIsKnown(page);
      await page.keyboard.press('Control+k');
      await expect.poll(() => address.inputValue()).toBe('https://www.example.com/a');
      await address.fill('jo@example.com');
      await address.press('Enter');
      await save(page);
      expect((await get(id)).body).toContain('<th><a href="mailto:jo@example.com">');
      await finish(page);
    });

    it('goes from cell to cell by Tab, adds a row after the last, and is left by Tab after Escape', async () => {
      const cells = (...texts: readonly string[]) => texts.map((text) => `<td>${text}</td>`).join('');
      const id = await create({ body: `<table><tbody><tr>${cells('a', 'b')}</tr></tbody></table>` });
      const page = await open(id);
      const body = inputOf(page, 'Body');
      await body.getByText('a', { exact: true }).click();
      // What the cell had is selected, and typing replaces it.
      for (const text of ['B', 'c', 'd']) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      for (const _ of [1, 2]) await page.keyboard.press('Shift+Tab');
      await page.keyboard.type('BB');
      await expect.poll(() => focusedName(page)).toBe('Body');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedText(page)).toBe('Edit the HTML of Body');
      await save(page);
      const rows = [cells('a', 'BB'), cells('c', 'd')].map((row) => `<tr>${row}</tr>`);
      expect((await get(id)).body).toBe(`<table><tbody>${rows.join('')}</tbody></table>`);
      await finish(page);
    });

    it('shows each block and each input in the direction of its script, and stores no trace of that', async () => {
      const texts = [
        '<p>שלום</p><p>Hello</p><ul><li>אחת</li></ul><table><tbody><tr><td>תא</td><td>cell</td></tr></tbody></table><p>End</p>',
        '<blockquote><p>Said</p><p>אמר</p></blockquote>',
      ];
      const id = await create({ title: 'שלום', texts });
      const page = await open(id);
      expect(await directionOf(inputOf(page, 'Title'))).toBe('rtl');
      await inputOf(page, 'Title').fill('Peace');
      expect(await directionOf(inputOf(page, 'Title'))).toBe('ltr');
      const shown = inputOf(page, 'Texts 1');
      for (const text of ['שלום', 'אחת', 'תא']) expect(await directionOf(shown.getByText(text))).toBe('rtl');
      for (const text of ['Hello', 'cell']) expect(await directionOf(shown.getByText(text))).toBe('ltr');
      const said = inputOf(page, 'Texts 2').getByText('אמר');
      expect(await styleOf(said, 'unicodeBidi')).toBe('plaintext');
      for (const [index] of texts.entries()) {
        await inputOf(page, `Texts ${index + 1}`).press('Control+End');
        await page.keyboard.type('!');
      }
      await save(page);
      expect((await get(id)).texts).toEqual([
        texts[0]?.replace('End', 'End!'),
        texts[1]?.replace('אמר', 'אמר!'),
      ]);
      await finish(page);
    });

    it('is edited by keyboard alone, with a toolbar that tells what is on', async () => {
      const id = await create({});
      const page = await open(id);
      const body = inputOf(page, 'Body');
      await body.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      const bold = page.getByRole('button', { name: 'Bold', exact: true });
      await expect.poll(() => bold.getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.type('Bold');
      await page.keyboard.press('Control+b');
      await page.keyboard.type(' plain');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Shift+Tab');
      for (let n = 0; n < 7; n++) await page.keyboard.press('ArrowRight');
      await expect.poll(() => focusedName(page)).toBe('Bullet list');
      await page.keyboard.press('Enter');
      await page.keyboard.type('one');
      await page.keyboard.press('Enter');
      await page.keyboard.type('see here');
      await page.keyboard.press('Control+Shift+ArrowLeft');
      // The editor learns of a selection by an event of its own.
      await expect
        .poll(() => page.evaluate('document.activeElement.editor.state.selection.empty'))
        .toBe(false);
      await page.keyboard.press('Control+k');
      const address = page.getByLabel('Address of the link');
      await address.fill('javascript:alert(1)');
      await address.press('Enter');
      await page.getByText('The address must begin with one of http').waitFor();
      for (const colors of ['light', 'dark'] as const) {
        await showIn(page, colors);
        await expectAccessible(page);
      }
      await expectToFit(page);
      await expectAccessible(page);
      await address.fill('/there');
      await address.press('Enter');
      await expect.poll(() => focusedName(page)).toBe('Body');
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedText(page)).toBe('Edit the HTML of Body');
      await save(page);
      const edited =
        '<p><strong>Bold</strong> plain</p><ul><li>one</li><li>see <a href="/there">here</a></li></ul>';
      expect((await get(id)).body).toBe(edited);
      await body.press('Control+a');
      await page.keyboard.press('Delete');
      await page.getByText('1 field changed').waitFor();
      await page.keyboard.press('Control+z');
      await page.getByText('All changes saved').waitFor();
      await body.press('Control+End');
      await page.keyboard.insertText('x'.repeat(800));
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await expect.poll(() => focusedName(page)).toBe('Body');
      expect(await body.getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('alert', { name: 'Not saved' }).getByText('must have at most 800').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await page.getByText('All changes saved').waitFor();
      expect(await body.textContent()).toContain('see here');
      await finish(page);
    });

    it('runs no script of a text, neither in the editor nor in the preview', async () => {
      const id = await create({ body: attack });
      const page = await open(id);
      const messages: string[] = [];
      page.on('console', (message) => messages.push(message.text()));
      const address = page.url();
      await page.getByRole('button', { name: 'Show the preview of Body' }).click();
      const frame = page.frameLocator('iframe[title="Preview of Body"]');
      await frame.getByText('Click me').click();
      await frame.getByRole('button', { name: 'Send' }).click();
      // Said once the script was blocked.
      await expect.poll(() => messages.join()).toContain("Blocked script execution in 'about:srcdoc'");
      await page.getByRole('button', { name: 'Use the editor for Body all the same' }).click();
      await page.getByRole('note', { name: 'The editor does not keep all of Body' }).waitFor();
      const body = inputOf(page, 'Body');
      await body.press('End');
      await page.keyboard.type('!');
      await page.getByRole('button', { name: 'Edit the HTML of Body' }).click();
      expect(await body.inputValue()).toBe(
        attack.replace('<script>', '!<script>').replace(/<a .*<\/a>/, 'Click me'),
      );
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
      await expect.poll(() => body.inputValue()).toBe(attack);
      expect(await page.evaluate('[window.attacked, document.title]')).toEqual([
        undefined,
        'Story · Colophon',
      ]);
      expect(page.url()).toBe(address);
      await page.close();
    });
  },
  { settings: { typesDir: folder } },
);

const attack =
  'Bare <img src="/x.png" onerror="parent.attacked = 1; top.location = \'/\'"><script>parent.attacked = 2</script>' +
  '<a href="javascript:parent.attacked = 3" target="_top">Click me</a><svg onload="parent.attacked = 4"></svg>' +
  '<meta http-equiv="refresh" content="0;url=/admin/audit"><iframe src="javascript:parent.parent.attacked = 5"></iframe>' +
  '<form action="/api/admin/session" method="post" target="_top"><button>Send</button></form>';

const inputOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('All changes saved').waitFor();
}

/** The editor learns of the caret by an event that follows the key. */
const caretIsKnown = (page: Page) =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');

const styleOf = (element: ReturnType<Page['locator']>, name: string): Promise<string> =>
  element.evaluate((one, property) => one.ownerDocument.defaultView.getComputedStyle(one)[property], name);

const directionOf = (element: ReturnType<Page['locator']>) => styleOf(element, 'direction');

const focusedName = (page: Page) => page.evaluate("document.activeElement.getAttribute('aria-label')");

const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent');
