/** What other programs put on the clipboard, pasted into rich text: the samples in `pasted/` have the form that the programs write. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeJourneys, finish } from '../support/browser.ts';
import { pasteHtml } from '../support/paste-html.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const folder = makeTypesFolder(`type Paper @contentType(class: "x.Paper") {
  title: String @title
  texts: [RichText!]
}
`);

/** What each sample becomes, and what the editor says of it. */
const samples = [
  {
    name: 'word',
    html:
      '<h2 style="text-align: center">Harbour</h2>' +
      '<p>Water is H<sub>2</sub>O, an area is m<sup>2</sup>, see <a href="https://example.org/tides">the tides</a>, notes and a note.<sup>[1]</sup></p>' +
      '<ul><li>boats<ul><li>sails<ul><li><strong>masts</strong></li></ul></li></ul></li><li>ropes</li></ul>' +
      '<p style="text-align: end">Right</p><ol start="3"><li>third</li><li>fourth</li></ol>' +
      '<table><thead><tr><th>Name</th><th><p style="text-align: center">Depth</p></th></tr></thead>' +
      '<tbody><tr><td colspan="2"><p>North</p><p>South</p></td></tr></tbody></table>' +
      '<hr><p><sup>[1]</sup> At low tide.</p>',
    said:
      '2 comments were left out. Text that tracked changes delete was left out. 1 picture could not be read from the clipboard. ' +
      '1 link led to a place in the document or on its computer; its text stays.',
  },
  {
    name: 'word-for-the-web',
    html:
      '<h2 style="text-align: center">Buoys</h2>' +
      '<p><strong>Salt</strong> is NaCl, water H<sub>2</sub>O, 3 m<sup>2</sup>, see <a href="https://example.org/buoys">the buoys</a></p>' +
      '<ul><li>green<ul><li>flashing<ol><li>twice</li></ol></li></ul></li><li>red</li><li>white</li></ul>' +
      '<p style="text-align: end">Then</p><ol start="3"><li>third</li><li>fourth</li></ol>' +
      '<table><tbody><tr><td>Colour</td><td><p style="text-align: center">Side</p></td></tr><tr><td>green</td><td></td></tr></tbody></table>',
    said: '1 picture could not be read from the clipboard.',
  },
  {
    name: 'libreoffice-writer',
    html:
      '<h1 style="text-align: center">Sails</h1>' +
      '<p>The <strong>jib</strong> has 20 m<sup>2</sup>, H<sub>2</sub>O, see <a href="https://example.org/sails">the sails</a><sup>1</sup></p>' +
      '<ul><li>jib<ul><li>storm jib<ul><li><em>small</em></li></ul></li></ul></li><li>mainsail</li></ul>' +
      '<ol start="3"><li>hoist</li><li>trim</li></ol><p style="text-align: end">Right</p>' +
      '<table><thead><tr><th>Sail</th><th><p style="text-align: center">Area</p></th></tr></thead>' +
      '<tbody><tr><td>jib</td><td></td></tr></tbody></table><p><sup>1</sup> In square metres.</p>',
    said: 'Text that tracked changes delete was left out. 1 picture could not be read from the clipboard.',
  },
  {
    // Pages has headings as large text only.
    name: 'apple-pages',
    html:
      '<p><strong>Knots</strong></p><p>A rope of 3 m<sup>2</sup> and H<sub>2</sub>O, <em>see</em> <a href="https://example.org/knots">the knots</a></p>' +
      '<ul><li>bowline<ul><li>double<ol><li>first</li></ol></li></ul></li><li>hitch</li></ul>' +
      '<table><tbody><tr><td><strong>Knot</strong></td><td><p style="text-align: end">Turns</p></td></tr><tr><td>hitch</td><td></td></tr></tbody></table>',
    said: '1 picture could not be read from the clipboard.',
  },
  {
    name: 'google-docs',
    html:
      '<h1 style="text-align: center">Lights</h1>' +
      '<p><strong>Bold</strong><em> slanted</em> CO<sub>2</sub> at <a href="https://example.org/lamp">the lamp</a></p>' +
      '<ul><li>one<ul><li>two<ol type="i"><li>three</li></ol></li></ul></li><li>four</li></ul>' +
      '<table><tbody><tr><td>a</td><td><p style="text-align: end">1</p></td></tr><tr><td>b</td><td></td></tr></tbody></table>' +
      '<p dir="rtl" style="text-align: justify">אור<img src="https://pictures.example/docsz/lamp.png" width="20" height="20"></p>',
    said: '',
  },
  {
    // Without a mark of a reviewer, what is struck through stays so.
    name: 'google-docs-export',
    html: '<p>The ferry sails at <s>noon</s> one.</p>',
    said: '1 comment was left out.',
  },
  {
    name: 'google-sheets',
    html:
      '<table><tbody><tr><td><strong>Port</strong></td><td><p style="text-align: center"><strong>Ships</strong></p></td></tr>' +
      '<tr><td>Cove</td><td><p style="text-align: end">7</p></td></tr></tbody></table>',
    said: '',
  },
  {
    name: 'excel',
    html:
      '<table><tbody><tr><td>Pier</td><td>Cranes</td></tr>' +
      '<tr><td>East</td><td><p style="text-align: end">3</p></td></tr></tbody></table>',
    said: '',
  },
  {
    name: 'apple-mail',
    html:
      '<p><strong>Dear</strong> crew,</p><ul><li>oars</li><li>flags<ul><li>red</li></ul></li></ul>' +
      '<table><tbody><tr><td><p style="text-align: center"><strong>Watch</strong></p></td><td></td></tr></tbody></table><p>Yours</p>',
    said: '2 pictures could not be read from the clipboard.',
  },
  {
    name: 'web-page',
    html:
      '<h3>Tide</h3><p><img src="https://pictures.example/tide.jpg" alt="The tide"></p><p>High water</p>' +
      '<p>Read <a href="https://example.org/a?b=1&amp;c=2">more</a> of <code>tide.log</code>.</p><p>Hours</p>' +
      '<table><thead><tr><th>Day</th><th><p style="text-align: end">Hour</p></th></tr></thead>' +
      '<tbody><tr><th>Monday</th><td><p style="text-align: end">6</p></td></tr></tbody></table>' +
      '<figure data-embed="https://films.example/1"><a href="https://films.example/1">https://films.example/1</a></figure>' +
      '<ul><li>done</li></ul>',
    said:
      '2 embedded pages were left out. 1 video or sound was left out. 1 control of a form was left out. 1 block of HTML was left out. ' +
      '1 link led to a place in the document or on its computer; its text stays.',
  },
];

describeJourneys(
  'pasted text',
  ({ instance, openSignedIn }) => {
    it('keeps lists, tables, headings, alignment and links of each program, and says what it leaves out', async () => {
      const { content } = instance().services;
      const texts = samples.map(() => '<p></p>');
      const { asset } = await content.create({ _type: 'x.Paper', title: 'Paper', texts }, {});
      const page = await openSignedIn(`/admin/content/x.Paper/${asset._id}`);
      await page.route('https://pictures.example/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: dot }),
      );
      for (const [index, { name, said }] of samples.entries()) {
        const text = page.getByRole('textbox', { name: `Texts ${index + 1}`, exact: true });
        await text.focus();
        await text.evaluate(pasteHtml, readFileSync(new URL(`pasted/${name}.html`, import.meta.url), 'utf8'));
        await expect
          .poll(() => page.locator('.colophon-pasted').nth(index).textContent(), { message: name })
          .toBe(said);
      }
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
      const saved = (await content.get(asset._id, {})).asset.texts;
      expect(saved).toEqual(samples.map(({ html }) => html));
      expect(await page.evaluate('window.attacked')).toBe(undefined);
      await finish(page);
    });
  },
  { settings: { typesDir: folder } },
);

const dot = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
