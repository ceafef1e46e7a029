/** Rich text in the form of an asset: the editor, the HTML source and the preview. */
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const folder = makeTypesFolder(`type Story @contentType(class: "x.Story") {
  title: String @title
  body: RichText
  texts: [RichText!]
}
`);
afterAll(folder.remove);

/** Texts that come back from the editor as they are. */
const kept = [
  'Plain, <b>bold</b> and <i>italic</i>',
  '<p>One</p>\n<p>Two  spaces, a&nbsp;hard one &amp; &lt;signs&gt;</p>\n',
  '<h2>Head</h2>\r\n<p>with <a title="T" href="/a?b=1&amp;c=2" target="_blank">a link</a><br />and<br />breaks</p>',
  '<ul>\n  <li>one</li>\n  <li>two\n    <ol start="3">\n      <li><p>three</p></li>\n    </ol>\n  </li>\n</ul>',
  '<blockquote>said</blockquote><blockquote><p>a</p><p>b</p></blockquote><hr>',
  '<p>wrapped\n   line, <em>em\nphasis</em></p><p><img alt="x" src="/x.png"></p>',
  '<pre><code class="language-js">if (a &lt; b) {\n\n  c()\n}</code></pre>',
  '<p><s>gone</s> <del>too</del> <u>under</u> <code>co de</code> <strong>a</strong></p><p></p>',
];

/** Texts that do not, and the reason that the form gives. */
const lost = [
  ['<p class="lead">One</p>', 'the attribute class of <p>'],
  ['<div>One</div><!-- note -->', 'the tag <div>'],
  ['<table><tbody><tr><td>1</td></tr></tbody></table>', 'the tag <td>'],
  ['<p>Caf&eacute;</p>', 'Caf&eacute;'],
  ['<p><a href="javascript:alert(1)">x</a></p>', 'the tag <a>'],
  ['<p onclick="alert(1)">x</p>', 'the attribute onclick of <p>'],
  ['<p>open', 'is written'],
  ['<p><span data-colophon-break="<script>">x</span></p>', 'the tag <span>'],
] as const;

describeJourneys(
  'rich text',
  ({ instance, openSignedIn }) => {
    const create = async (body: object) =>
      (await instance().services.content.create({ _type: 'x.Story', title: 'Story', ...body }, {})).asset._id;
    const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
    const open = (id: string) => openSignedIn(`/admin/content/x.Story/${id}`);

    it('opens what it would not change in the editor, and all else as HTML with the reasons', async () => {
      const texts = [...kept, ...lost.map(([text]) => text)];
      const id = await create({ texts });
      const page = await open(id);
      for (const [index, text] of texts.entries()) {
        const kind = await page.locator(`[data-path="texts[${index}]"]`).first().evaluate((e) => (e as any).tagName + ' ' + (e as any).closest('[data-item]').querySelector('ul')?.textContent).catch(String);
        console.log(index, JSON.stringify(text), kind);
        if (index === 9) await page.getByRole('button', { name: 'Next' }).click();
      }
      await page.context().close();
    });
  },
  { settings: { typesDir: folder.path } },
);
