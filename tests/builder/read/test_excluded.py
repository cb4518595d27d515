"""Pages that the settings of other systems keep out of their sites."""

from dataclasses import replace
from pathlib import Path

import pytest
from ranvier_builder import build
from ranvier_builder.pipeline import survey
from ranvier_builder.read.outline import read_outline
from ranvier_builder.withheld import Reason
from support.content import OPEN, build_tree, write_tree
from support.excluded import assert_excluded
from support.rendered import surveyed

_DOCUSAURUS = """import {themes} from 'prism-react-renderer';
const config = {title: 'x', presets: [['classic', /** @type {import('x').Options} */ ({
  docs: {sidebarPath: './sidebars.js', exclude: ['**/*.draft.md']}, blog: false,
})]]};
export default config;
"""
_PLUGINS = """module.exports = {presets: [['classic', {blog: {exclude: ['a/**']}, pages: {exclude: ['a/**']}}]],
  plugins: ['x', ['redirects', {exclude: ['a/**']}], ['content-docs', {path: 'community', exclude: ['a/**']}]]}
"""
_IGNORES = """export default function (config) {
  config.ignores.add("src/a/**");
  config.ignores.add( './src/b.md' );
  // config.ignores.add("src/d.md");
  return { dir: { input: "src", includes: "parts", output: "e" } };
}
"""
_APPENDED = """exclude_patterns = ['a.md'] + ['b.md']
exclude_patterns.append('c.md')
if x:
    exclude_patterns.extend(['d.md', 'e.md'])
if y:
    exclude_patterns.append('f.md')
else:
    exclude_patterns.append('g.md')
exclude_patterns.remove('h.md')
x.append('i.md')
templates_path = ['t']
"""
_COLLECTIONS = """const a = defineCollection({ loader: glob({
  pattern: ['**/[^_]*.{md,mdx}', '!old/**'], // glob({pattern: 'x'})
  base: "./src/content/a" }), schema: z.object({}) });
const b = defineCollection({ loader: glob({ base: 'src/content/b/', pattern: "*.mdx" }) });
"""
_MYST = "project: {toc: [{file: index.md}, {title: T, children: [{file: d}, {pattern: 'e/*.md'}]}]}\n"
_FORMER_I18N = """plugins:
- i18n:
    default_language: en
    languages: {en: {build: false}, de: {name: Deutsch, build: false}, fr: français}
"""
_I18N = "plugins:\n- i18n:\n    languages:\n    - {locale: de, build: false}\n    - {locale: fr, build: true}\n"
_EXCLUDE = """plugins:
- exclude: {glob: ['a/*', '*.tmp.md'], regex: ['.*/x.z.md', '(a+)+']}
"""
_QUARTZ = 'const config: QuartzConfig = {configuration: {theme: f(), ignorePatterns: ["private", "**/old"]}, plugins: {}}\n'
_SPHINX = 'import os\nexclude_patterns: list[str] = ["_build", "a.md", os.sep, f"{x}"]\nexclude_patterns += ["**/parts"]\n'
_JEKYLL = """exclude: [README, vendor/, '*.tmp.md']
include: [_pages]
collections:
  docs: {output: true}
  people: {output: false}
"""
_SUMMARY = "# Summary\n\n- [A](./a.md)\n  - [B](b/b%20c.md#x)\n<!-- - [C](c.md) -->\n- [Draft]()\n"
_BOOK = {"book.toml": "[book]\ntitle = 'x'\n", "src/SUMMARY.md": _SUMMARY}
_RENDER = "project:\n  type: website\n  render: ['*.md', '!old/', '!b/c.md']\n"
_CHAPTERS = "project: {type: book}\nbook:\n  chapters: [index.md, {part: Part, chapters: [a.md]}]\n"
_DEFAULTS = """
collections: {e: {output: true}}
defaults:
- {scope: {path: ""}, values: {layout: x, published: true}}
- {scope: {path: a}, values: {published: false}}
- {scope: {path: c, type: posts}, values: {published: false}}
- {scope: {path: _e/f, type: e}, values: {published: false}}
- {scope: {path: "", type: pages}, values: {published: false}}
- x
"""
_BEGINNINGS = """
collections_dir: c
collections: {e: {output: true}}
defaults:
- {scope: {path: ""}, values: {published: false}}
- {scope: {path: plan}, values: {published: false}}
- {scope: {path: d/}, values: {published: false}}
- {scope: {path: "x[y]"}, values: {published: false}}
- {scope: {path: a/_posts/2020, type: post}, values: {published: false}}
- {scope: {path: _e/f, type: e}, values: {published: false}}
"""
_ENCRYPTED = "export default hopeTheme({encrypt: {config: {'/a/b.html': {password: x}, '/c/': ['y'], '/d[e]': 'z'}}})"
_RULES = "export default plumeTheme({encrypt: {rules: {'^/a/(?:b|c)': 'x', '/p/': 'y'}}})"
_TOC = "root: b.md\nchapters: [{file: a.md}]\n"
_DOCFX = (
    '{"build": {"content": [{"files": ["**/*.md"], "src": "docs", "exclude": ["**/{includes,obj}/**"]}, {"files": ["*.yml"]}]}}'
)


@pytest.mark.parametrize(
    ("settings", "folder", "excluded", "pages"),
    [
        ({".vitepress/config.mts": "export default defineConfig({srcExclude: ['**/TODO.md', './x/**', 'a{b,c}.md']})"}, ".",
         ["TODO.md", "a/TODO.md", "x/a.md", "ab.md", "ac.md"], ["a/ab.md", "y/x/a.md", "a.md"]),
        ({".vitepress/config.ts": "export default {srcDir: './src', srcExclude: ['a.md']}"}, ".", ["src/a.md"], ["a.md"]),
        ({".vitepress/config.ts": "export default defineConfig(({a}) => ({srcExclude: ['a.md']}))"}, ".", ["a.md"], ["b.md"]),
        ({".vitepress/config.js": "const x = ['a.md']\nexport default {srcExclude: [...x, 'b.md']}"}, ".", ["b.md"], ["a.md"]),
        ({"docusaurus.config.js": _DOCUSAURUS}, "docs", ["docs/a.draft.md", "docs/_a.md", "docs/_b/c.md"], ["docs/a.md"]),
        ({"astro.config.mjs": "f()"}, "src/content/docs", ["src/content/docs/_a.md"], ["src/content/docs/_b/c.md"]),
        ({"docusaurus.config.js": _PLUGINS}, ".", ["blog/a/b.md", "src/pages/a/b.md", "community/a/b.md"],
         ["docs/a/b.md", "blog/b.md"]),
        ({".vuepress/config.ts": "export default defineUserConfig({pagePatterns: ['**/*.md', '!a/**', '!**/b.md']})"}, ".",
         ["a/c.md", "c/b.md"], ["c/a/d.md"]),
        ({".vuepress/theme.ts": _ENCRYPTED}, ".",
         ["a/b.md", "c/README.md", "c/d/e.md", "d[e]f.md", "d[e]/a.md"], ["a/bc.md", "b/c/d.md", "de.md"]),
        ({".vuepress/config.js": "export default {theme: plumeTheme({encrypt: {global: true}})}"}, ".", ["a.md", "b/c.md"], []),
        ({"mkdocs.yml": "plugins: [{encryptcontent: {global_password: !ENV X}}]\n"}, "docs", ["docs/a.md", "docs/b/c.md"], []),
        ({"mkdocs.yml": "plugins: [{encryptcontent: {global_password: x}}]\n"}, "docs", ["docs/a.md", "docs/b/c.md"], []),
        ({".vuepress/theme.ts": _RULES, "x.md": "---\npermalink: /p/1/\n---\nX", "y.md": "---\nkeys: [0123]\n---\nY",
          "b.md": "---\npermalink: [{}]\n---\nB"}, ".",
         ["a/b.md", "x.md", "y.md"], ["b.md"]),
        ({".vuepress/theme.ts": "export default plumeTheme({encrypt: rules})"}, ".", ["b.md"], []),
        ({".vuepress/theme.ts": "import encrypt from './x'\nexport default plumeTheme({ encrypt })"}, ".", ["b.md"], []),
        ({"mkdocs.yml": "nav: [a.md, b.md]\nplugins: {encryptcontent: {password_inventory: {a: x}}}\n",
          "docs/b.md": "---\nlevel: a\n---\nB", "docs/c/.meta.yml": "level: a"}, "docs", ["docs/b.md", "docs/c/d/e.md"],
         ["docs/a.md"]),
        ({"mkdocs.yml": "INHERIT: a.yml\n", "a.yml": "plugins: {encryptcontent: {global_password: x}}\n"}, ".", ["docs/a.md"],
         []),
        ({".vuepress/config.js": "module.exports = {themeConfig: {keyPage: {keys: ['x']}}}"}, ".", ["a.md", "b/c.md"], []),
        ({".vuepress/config.js": "module.exports = {patterns: ['**/*.md', '!a/**']}"}, ".", ["a/c.md"], ["a.md"]),
        ({".vuepress/config.js": "module.exports = {pagePatterns: ['a/**/*.md', '!a/b.md']}"}, ".", ["a/b.md", "b.md"],
         ["a/c.md", "a/c/b.md"]),
        ({"eleventy.config.js": _IGNORES, ".gitignore": "# x\nsrc/c/\n"}, "src",
         ["src/a/b.md", "src/b.md", "src/c/d.md", "src/parts/a.md"], ["src/d.md", "src/e/c.md"]),
        ({".eleventy.js": "x.setUseGitIgnore(false)", ".gitignore": "a.md"}, ".", [], ["a.md"]),
        ({".gitignore": "a.md"}, ".", [], ["a.md"]),
        ({"astro.config.mjs": "f()"}, "src/pages", ["src/pages/_b/c.md", "src/pages/a/_c/d.md"], ["src/pages/a.md"]),
        ({"quartz.config.ts": "", "content/.gitignore": "a/"}, "content", ["content/b/a/c.md"], ["content/a.md"]),
        ({"quartz.config.yaml": "configuration: {ignorePatterns: [a]}\n"}, "content", ["content/a/b.md"], ["content/b.md"]),
        ({"conf.py": _APPENDED}, ".", ["a.md", "b.md", "c.md", "d.md", "e.md", "t/a.md"], ["f.md", "g.md", "h.md", "i.md"]),
        ({"_site.yml": "name: x\n"}, ".", ["_a.Rmd"], ["a.Rmd"]),
        ({"myst.yml": _MYST}, ".", ["a.md", "b/c.md", "d/x.md"], ["index.md", "d.md", "e/f.md"]),
        ({"dendron.yml": "workspace: {vaults: [{fsPath: a}, {fsPath: b/, visibility: private}]}\n"}, ".", ["b/c.md"],
         ["a/c.md", "b.md"]),
        ({"dendron.yml": "workspace: {vaults: [{fsPath: v}]}\nsite: {siteHierarchies: [work, 'a[b]']}\n"}, ".",
         ["v/root.md", "v/workshop.md", "v/home.work.md", "v/ab.md"], ["v/work.md", "v/work.plan.a.md", "v/a[b].c.md"]),
        ({"dendron.yml": "publishing: {siteHierarchies: [root]}\n"}, ".", [], ["v/a.md"]),
        ({"dendron.yml": "publishing: {hierarchy: {Day: {publishByDefault: false}, day.tip: {publishByDefault: {v: true}}}}\n",
          "v/day.b.md": "---\npublished: true\n---\nB"}, ".", ["v/day.md", "v/day.a.md"],
         ["v/a.md", "v/days.md", "v/day.tip.md"]),
        ({"dendron.yml": "site: {config: {root: {publishByDefault: false}, a: {}}}\n"}, ".", ["v/b.md"], ["v/a.md"]),
        ({"_config.yml": "source_dir: s\nencrypt: {tags: [{name: x, password: y}]}\n", "s/a.md": "---\ntags: [z, x]\n---\nA",
          "s/b.md": "---\ntags: x\npassword: ''\n---\nB"}, ".", ["s/a.md"], ["s/c.md"]),
        ({"_config.yml": "source_dir: s\nencrypt: {tags: [{name: 24}, {}]}\n", "s/a.md": "---\ntag: 24\n---\nA"}, ".",
         ["s/a.md"], ["s/c.md"]),
        ({"mkdocs.yml": "docs_dir: d\nexclude_docs: |\n  /en/a.md\n"}, "d/en", ["d/en/a.md"], ["d/en/b.md", "d/a.md"]),
        ({".vitepress/config.mts": "const x = 'a.md'\nconst srcExclude = [x, 'c.md']\nexport default { srcExclude }"}, ".",
         ["a.md", "c.md"], ["b.md"]),
        ({".vuepress/theme.ts": "const encrypt = {rules: {'/a/': 'x'}}\nexport default plumeTheme({ encrypt })"}, ".",
         ["a/b.md"], ["b.md"]),
        ({".vitepress/config.mts": "export default withMermaid({srcExclude: ['a.md']})"}, ".", ["a.md"], ["b.md"]),
        ({"docusaurus.config.js": "export default {presets: [['classic', {docs: {include: ['a/**/*.{md,mdx}']}}]]}"}, "docs",
         ["docs/b.md"], ["docs/a/b.md", "docs/a/c/d.mdx"]),
        ({"next.config.mjs": ""}, "app", ["app/a/b.mdx", "app/_a/page.mdx"], ["app/page.mdx", "app/a/page.md", "b/_a.md"]),
        ({"nuxt.config.ts": ""}, "content", ["content/-a.md", "content/-b/c.md"], ["content/a-b.md"]),
        ({"docusaurus.config.js": "export default {presets: [['classic', {docs: {includeCurrentVersion: false}}]]}"}, ".",
         ["docs/a.md"], ["versioned_docs/version-1/a.md"]),
        ({"pelicanconf.py": "DEFAULT_METADATA = {'status': 'draft'}", "content/b.md": "Title: B\nStatus: published\n\nB",
          "content/c.md": "---\nstatus: hidden\n---\nC"}, "content", ["content/a.md"], ["a.md"]),
        ({"pelicanconf.py": "ARTICLE_PATHS = ['blog']\nARTICLE_EXCLUDES = ['blog/x', 'pages']"}, "content",
         ["content/a.md", "content/blog/x/a.md"], ["content/blog/a.md", "content/pages/a.md"]),
        ({"conf.py": "include_patterns = ['index.md', 'guide/**', '**.tip.md']\n"}, ".", ["a.md", "a/index.md"],
         ["index.md", "guide/a/b.md", "x/y.tip.md", "z.tip.md"]),
        ({"conf.py": "include_patterns = ['index.md']\ninclude_patterns += more()\n"}, ".", [], ["a.md", "index.md"]),
        ({"conf.py": "include_patterns = ['index.md', *more]\n"}, ".", [], ["a.md", "index.md"]),
        ({"src/content.config.ts": _COLLECTIONS}, "src/content", ["src/content/a/_x.md", "src/content/a/old/b.md",
         "src/content/b/d/e.md"], ["src/content/a/c/x.md", "src/content/b/d.mdx", "src/content/c/d.md"]),
        ({"src/content.config.ts": _COLLECTIONS + "x = glob({pattern: 'old/*', base: 'src/content/a'})"}, "src/content",
         ["src/content/b/d/e.md"], ["src/content/a/_x.md", "src/content/a/old/b.md", "src/content/b/d.mdx"]),
        ({"src/content.config.mjs": "x = glob({pattern: '*.yml', base: 'src/content/a'})"}, "src/content", [],
         ["src/content/a/b.md"]),
        ({"src/content.config.ts": "x = docsLoader(); y = glob({pattern: 'a.md', base: 'src/content/docs'})"}, "src/content",
         [], ["src/content/docs/b.md"]),
        ({"src/content/config.js": "x = glob({pattern: ['a.md', f()], base: 'src/content/a'})"}, "src/content", [],
         ["src/content/a/b.md", "src/content/a/a.md"]),
        ({"pelicanconf.py": "IGNORE_FILES = ['x*']\n"}, "content", ["content/xa.md", "content/a/x.md"], ["content/a/b.md"]),
        ({"docs.json": '{"navigation": {"pages": ["README"]}}'}, ".",
         ["README.md", "CONTRIBUTING.md", "snippets/a.md"], ["a/README.md", "a/snippets/a.md"]),
        ({"docs.json": '{"navigation": null}'}, ".", ["README.md", "snippets/a.md"], []),
        ({"docs.json": "{}"}, ".", [], ["README.md"]),
        ({"mkdocs.yml": _EXCLUDE}, "docs", ["docs/a/b/c.md", "docs/a.tmp.md", "docs/b/xyz.md", "docs/templates/a.md",
         "docs/README.md"], ["docs/index.md", "docs/a.md", "docs/b/README.md", "docs/b/templates/a.md"]),
        ({"mkdocs.yml": _I18N}, "docs", ["docs/de/a.md", "docs/b/a.de.md"], ["docs/fr/a.md", "docs/a.md", "docs/b/de/a.md"]),
        ({"mkdocs.yml": _FORMER_I18N}, "docs", ["docs/de/a.md", "docs/b/a.de.md"], ["docs/a.en.md", "docs/en/a.md"]),
        ({"quartz.config.ts": _QUARTZ}, "content", ["content/private/a.md", "content/a/old/b.md"], ["content/a/private/b.md"]),
        ({"rspress.config.ts": "export default defineConfig({route: {exclude: ['**/parts/**']}})"}, ".", ["docs/a/parts/b.md"],
         ["docs/a.md"]),
        ({"conf.py": _SPHINX}, ".", ["a.md", "b/parts/c.md", "_build/a.md"], ["b/a.md", "b.md"]),
        ({"_config.yml": _JEKYLL}, ".", ["README.md", "vendor/a.md", "b/c.tmp.md", "_people/a.md", "a/_b.md"],
         ["_docs/a.md", "_docs/_b/c.md", "_posts/2024-01-02-a.md", "_pages/a.md", "a/README.md", "vendors.md"]),
        ({"_config.yml": _DEFAULTS}, ".", ["a/b.md", "c/_posts/2024-01-02-d.md", "_e/f/g.md"],
         ["_posts/2024-01-02-a.md", "b.md", "_e/h.md"]),
        ({"_config.yml": _BEGINNINGS}, ".", ["plans.md", "planet/a.md", "d/a.md", "x[y]/a.md", "a/_posts/2020-01-01-a.md",
         "c/_e/fg.md"], ["a/plan.md", "da.md", "xy/a.md", "a/_posts/2021-01-01-a.md", "c/_e/h.md"]),
        ({"_config.yml": "exclude_patterns: [a.md]\n", "_toc.yml": "root: index\n"}, ".", ["a.md"], ["_b.md"]),
        ({"myst.yml": "project: {exclude: ['a/**']}\n"}, ".", ["a/b.md"], ["b.md"]),
        ({"retype.yml": "input: docs\nexclude: [secret/, '*_temp.md']\n"}, "docs",
         ["docs/a/secret/b.md", "docs/b_temp.md", "docs/_a.md"], ["docs/b.md", "docs/secret.md"]),
        ({"_quarto.yml": "project: {type: website}\n"}, ".", ["_a.md", "_b/c.md", "README.md"], ["a.md"]),
        ({"_quarto.yml": "project: {render: ['*.md']}\nwebsite: {drafts: [a/b.md, c*.md]}\n"}, ".", ["a/b.md", "cd.md"],
         ["b.md", "a/c.md"]),
        ({"_quarto.yml": _RENDER}, ".", ["old/a.md", "a/b/c.md"], ["a/b.md", "README.md"]),
        ({"_quarto.yml": _CHAPTERS}, ".", ["b.md"], ["index.md", "a.md"]),
        ({"docfx.json": _DOCFX}, "docs", ["docs/a/includes/b.md", "docs/obj/c.md"], ["docs/a.md"]),
        ({".mintignore": "drafts/\n*.draft.mdx\n"}, ".", ["a/drafts/b.md", "c.draft.mdx"], ["a.md"]),
        (_BOOK, ".", ["src/c.md"], ["src/a.md", "src/b/b c.md", "c.md"]),
        (_BOOK, "src", ["src/c.md"], ["src/a.md", "src/b/b c.md"]),
        ({"hugo.yaml": ""}, "content", ["content/a/b.md", "content/a/b/c.md"],
         ["content/a/index.md", "content/a/index.de.md", "content/b.md", "content/c/_index.md", "content/c/d.md"]),
        ({"config/_default/hugo.toml": "baseURL = '/'"}, "content", ["content/a/b.md"], ["content/a/index.md"]),
        ({"config.toml": "base_url = '/'"}, "content", ["content/a/b.md"], ["content/a/index.md"]),
        ({"_quarto.yml": "project: {type: book}\nbook: {chapters: [./index.md, ./a.md]}\n"}, ".", ["b.md"],
         ["index.md", "a.md"]),
        ({"book.toml": "[book]", "src/SUMMARY.md": "- [A](<a b.md>) [B](b(1).md) [C][c] <!-- [D](d.md) -->\n\n[c]: c.md\n"},
         ".", ["src/d.md"], ["src/a b.md", "src/b(1).md", "src/c.md"]),
        ({"hugo.toml": r"ignoreFiles = ['\.tmp\.md$', 'content/old/', '[', '(a+)+b']"}, "content",
         ["content/a.tmp.md", "content/old/b.md"], ["content/tmp.md", "content/aab.md"]),
        ({"hugo.toml": "ignorefiles = ['(^|/)a.?md$', '" + "content/" + "b" * 60 + "/']"}, "content",
         ["content/a.md", f"content/{'b' * 60}/c.md"], ["content/b.md"]),
        ({"hugo.toml": r"ignoreFiles = ['.*/old/.*', '^.*\.tmp\..*$']"}, "content", ["content/old/b.md", "content/a.tmp.md"],
         ["content/a.md"]),
        ({"config.yaml": "baseURL: /\nignoreFiles: ['a.md$']\n"}, "content", ["content/a.md"], ["content/b.md"]),
        ({".obsidian/publish.json": '{"excluded": ["Old [a] {b,c}", "[^x]"]}', ".obsidian/templates.json": '{"folder": "*"}'},
         ".", ["Old [a] {b,c}/a.md", "[^x]/a.md"], ["Old a b/a.md", "a.md", "a/b.md"]),
        ({"quartz.config.ts": "/* x\n ExplicitPublish() */ y = ['**/*.md'] // '\n"}, "content", [], ["content/a.md"]),
        ({"quartz.config.ts": "y = ['/*.md'] // it's /*\nf(ExplicitPublish()) /* */"}, "content", ["content/a.md"], []),
        ({".obsidian/publish.json": '{"excluded": ["Private", "a/b.md"]}', ".obsidian/templates.json": '{"folder": "T"}'}, ".",
         ["Private/a.md", "a/b.md", "T/a.md"], ["a/Private/c.md", "b.md"]),
        ({".obsidian/daily-notes.json": '{"template": "Meta/Day", "folder": "d"}',
          ".obsidian/plugins/periodic-notes/data.json": '{"weekly": {"template": "T/w.md"}, "daily": {"template": ""}}'}, ".",
         ["Meta/Day.md", "T/w.md"], ["Meta/Day/a.md", "Meta/Days.md", "x/T/w.md"]),
        ({"logseq/config.edn": '{;; :hidden ["/pages"]\n :hidden ["/old" "pages/x.md"]}'}, ".",
         ["logseq/bak/pages/a.md", "old/a.md", "pages/x.md"], ["pages/a.md", "pages/logseq.md"]),
        ({"quartz.config.ts": "export default {plugins: {filters: [Plugin.ExplicitPublish()]}}"}, "content", ["content/a.md"],
         ["b.md"]),
        ({"quartz.config.ts": "// filters: [Plugin.ExplicitPublish()]\n"}, "content", [], ["content/a.md"]),
        ({"quartz.config.ts": "f(Plugin.ExplicitPublish())", "content/a.md": "---\npublish: true\n---\n"}, "content", [], []),
        ({"_Sidebar.md": ""}, ".", ["_Footer.md"], ["Home.md"]),
        ({"a.Rmd": "", "c.qmd": ""}, ".", [], ["b.md", "c.md.md"]),
        ({"_config.yml": "theme: x\n", "mkdocs.yml": "docs_dir: .\nnav: [_a.md]\n"}, ".", ["_b.md"], ["_a.md"]),
        ({"mkdocs.yml": "docs_dir: .\nexclude_docs: a.md\nnav: [a.md]\n"}, ".", ["a.md"], ["b.md"]),
        ({"conf.py": "exclude_patterns = ['a.md']", "_toc.yml": _TOC}, ".", ["a.md"], ["b.md"]),
        ({"_config.yml": "exclude_patterns: [a.md]\n", "_toc.yml": _TOC}, ".", ["a.md"], ["b.md"]),
        ({"_quarto.yml": "website: {sidebar: {contents: [_a.md, {text: R, href: README.md}]}}\n"}, ".",
         ["_a.md", "README.md"], ["a.md"]),
        ({".vitepress/config.js": "export default {srcExclude: ['a.md'], themeConfig: {sidebar: [{text: 'A', link: 'a.md'}]}}"},
         ".", ["a.md"], ["b.md"]),
        ({"myst.yml": "project: {exclude: ['*.md'], toc: [{file: a.md}]}\n"}, ".", ["b.md"], ["a.md"]),
    ],
)  # fmt: skip
def test_settings_exclude_the_pages_that_their_system_excludes(
    tmp_path: Path, settings: dict[str, str], folder: str, excluded: list[str], pages: list[str]
) -> None:
    """A1: the same pages are excluded if the content folder is that of the settings, or one below it."""
    assert_excluded(tmp_path / "c", settings, folder, excluded, pages)


@pytest.mark.parametrize(
    "settings",
    [
        {"_config.yml": "exclude: [docs]\n"},
        {"_config.yml": "exclude: 3\ncollections: [docs]\n"},
        {"conf.py": "exclude_patterns = ["},
        {"docs/conf.py": "exclude_patterns = 'a' + '.md'\nexclude_patterns += f('a.md')\nexclude_patterns += ['a' + '.md']\n"},
        {"docs/conf.py": f"exclude_patterns = {' + '.join(['[]'] * 2000)}\n"},
        {"mkdocs.yml": "exclude_docs: {a: b}\ndraft_docs: 3\nplugins: [exclude]\n"},
        {"conf.py": "exclude_patterns = None\nexclude_patterns = open('x')\nexclude_patterns['\\d'] = 1\n"},
        {".vitepress/config.js": "export default {srcExclude: 'a.md'.split()}"},
        {"_quarto.yml": "- project\n"},
        {"docfx.json": '{"build": {"content": [{"files": ["**/*.md"], "exclude": ["**"]}, {"files": ["docs/a.md"]}]}}'},
        {"book.toml": "[book]\n"},
        {"hugo.toml": ""},
        {"docs/config.toml": "base_url = 'https://api.example'\n", "docs/themes/c.md": "# C\n"},
        {"docs/content/a/index.md": "# A\n", "docs/content/a/b.md": "# B\n", "docs/hugo.md": "", "docs/config.toml": "x = 1"},
        dict.fromkeys(("docs/content/a/index.md", "docs/content/a/b.md"), "")
        | {"docs/config.yaml": "base_url: /v1\n", "docs/config.yml": "baseUrl: /\n"},
        {".vitepress/config.js": f"export default {{srcExclude: ['{'{a}' * 3000}']}}"},
    ],
)
def test_settings_that_say_nothing_about_a_page_do_not_exclude_it(tmp_path: Path, settings: dict[str, str]) -> None:
    """A1: not those of another tree or program, and not those that are no plain data."""
    content = write_tree(tmp_path / "c", settings | {"docs/a.md": "# A\n", "docs/b/index.md": "# B\n"}) / "docs"
    assert not read_outline(content, [path.relative_to(content).as_posix() for path in content.rglob("*.md")]).excluded


@pytest.mark.parametrize(
    "field",
    ["permalink: false", "url: false", "render: false", "headless: true", "build: {render: never}", "_build: {render: false}"],
)
def test_file_that_its_system_does_not_write_is_no_page(tmp_path: Path, field: str) -> None:
    """A1, A3."""
    written = "---\npermalink: /c/\nbuild: {render: never, list: local}\n---\n# B\n"
    assert [*surveyed(tmp_path / "c", {"a.md": f"---\n{field}\n---\n# A\n", "b.md": written})] == ["b.md"]


@pytest.mark.parametrize(
    ("field", "noindex"),
    [
        ("unlisted: true", True),
        ("unlisted: false", False),
        ("build: {list: never}", True),
        ("_build: {list: false, render: true}", True),
        ("build: {list: local}", False),
        ("nav_exclude: yes", False),
        ("searchable: false", True),
        ("hiddenFromSearch: true", True),
        ("search: {exclude: true}", True),
        ("search: true", False),
        ("robots: noindex, follow", True),
        ("bookSearchExclude: yes", True),
    ],
)
def test_unlisted_page_is_not_in_the_search(tmp_path: Path, field: str, noindex: bool) -> None:
    """N1: Docusaurus and Hugo write the page; just-the-docs has it in its search."""
    pages = surveyed(tmp_path / "c", {"a.md": f"---\n{field}\n---\n# A\n"})
    assert pages["a.md"].page.neuron.noindex == noindex


def test_error_page_of_another_system_is_in_no_list(tmp_path: Path) -> None:
    """N1: every system writes it as `404.html`, which each site has here."""
    pages = survey(write_tree(tmp_path / "c", {"404.md": "# Lost\n", "a/404.md": "# A\n"}), OPEN).rendered
    assert {page.page.neuron.path: page.page.neuron.unlisted for page in pages} == {"404.md": True, "a/404.md": False}


@pytest.mark.parametrize(
    "field", ["unlisted: true", "hidden: true", "_build: {list: never}", "nav_exclude: true", "sidebar: {exclude: true}"]
)
def test_unlisted_page_is_in_no_list(tmp_path: Path, field: str) -> None:
    """N5: only its own page has its title; a folder with other pages stays in the menu. The proof compares the site."""
    hidden = f"---\n{field}\ntags: [odd]\ncreated: 2024-01-02\n---\n# Kestrel\n"
    names = ("a/kestrel.md", "a/b/index.md", "a/b/kestrel.md", "only/kestrel.md", "kestrel.md", "d/index.md", "d/e/kestrel.md")
    files = dict.fromkeys(names, hidden) | {"index.md": "# Home\n", "a/x.md": "# X\n", "2024-01-03.md": "# Day\n"}
    files |= {"top/index.md": hidden.replace("Kestrel", "Above"), "top/x.md": "---\nparent: top/index.md\n---\n# Below\n"}
    files |= {"private.md": "---\naudience: curator\n---\n", "only/kestrel2.md": f"---\n{field}\n---\n[x](/only/) [d](/d/)\n"}
    site = build_tree(tmp_path, files, replace(OPEN, url="https://h.example/"))
    assert "kestrel" not in (site / "llms.txt").read_text().lower()
    assert "https://h.example/only/<" not in (site / "sitemap.xml").read_text()
    assert ("https://h.example/d/<" in (site / "sitemap.xml").read_text()) == ("nav" in field or "sidebar" in field)
    pages = {file.relative_to(site).as_posix(): file.read_text().lower() for file in site.rglob("*.html")}
    assert {name for name, page in pages.items() if "kestrel" in page} == {
        f"{name}/index.html"
        for name in ("a/kestrel", "a/b", "a/b/kestrel", "only/kestrel", "only/kestrel2", "kestrel", "d", "d/e", "d/e/kestrel")
    }
    assert ">above<" in pages["index.html"]
    assert not any("odd" in name for name in pages)


def test_name_of_an_excluded_page_may_have_a_claim(tmp_path: Path) -> None:
    """A3, A6: the proof builds a copy in which the file has another name."""
    private = {"private.md": "---\naudience: curator\n---\n# Secret\n", "parts/a {#claim-0a1b2c3d}.md": "# Part\n"}
    content = write_tree(tmp_path / "c", {"conf.py": "exclude_patterns = ['parts']", "index.md": "# Home\n"} | private)
    report = build(content, tmp_path / "out", OPEN)
    assert (report.published, sum(report.withheld.values())) == (1, 2)


def test_home_page_that_is_not_in_the_menu_is_in_the_list_for_agents(tmp_path: Path) -> None:
    site = build_tree(tmp_path, {"index.md": "---\nnav_exclude: true\n---\n# Kestrel\n", "a.md": "# A\n"})
    assert "- [Kestrel](" in (site / "llms.txt").read_text()


@pytest.mark.parametrize(
    ("settings", "list_of_pages"),
    [
        ({"myst.yml": "project: {toc: [{file: index.md}, {file: %s.md}]}\n"}, True),
        ({"_quarto.yml": "project: {type: book}\nbook: {chapters: [index.qmd, %s.md]}\n"}, True),
        ({"_config.yml": "only_build_toc_files: true\n", "_toc.yml": "root: index\nchapters: [{file: %s}]\n"}, True),
        ({"book.json": "{}", "SUMMARY.md": "* [A](%s.md)\n"}, True),
        ({"_config.yml": "exclude: [docs/b, '# %s']\n"}, False),
    ],
)
def test_list_of_pages_in_other_folders_excludes_nothing(tmp_path: Path, settings: dict[str, str], list_of_pages: bool) -> None:
    """A1: settings above the content folder that list none of its pages belong to other pages."""
    for name in ("x", "docs/a"):
        write_tree(tmp_path, {path: text.replace("%s", name) for path, text in settings.items()})
        excluded = {*read_outline(tmp_path / "docs", ["a.md", "b/c.md"]).excluded}
        assert excluded == ({"b/c.md"} if name == "docs/a" or not list_of_pages else set())


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"config.toml": "baseURL = '/'\nignoreFiles = ['a.md']\n", "content/a.md": "# A\n"}, {"content/a.md": "config.toml"}),
        # A glob with 30 pairs of braces stands for a thousand million names.
        ({"myst.yml": f"project: {{exclude: ['{'{a,b}' * 30}', 'a.md']}}\n", "a.md": "# A\n"}, {"a.md": "myst.yml"}),
        # The source of a rendered page is no page, as `README.Rmd` of packages of R.
        (dict.fromkeys(("README.Rmd", "README.md", "b.Rmd", "c.qmd"), ""), {"README.Rmd": "the .md file beside it"}),
    ],
)
def test_reason_names_what_excludes_a_page(tmp_path: Path, files: dict[str, str], reason: dict[str, str]) -> None:
    """A1."""
    assert read_outline(write_tree(tmp_path / "c", files), [*files]).excluded == reason


def test_expression_that_is_not_used_is_reported(tmp_path: Path) -> None:
    """A1: of Hugo, for each reason. Each of the last two needs minutes for this path."""
    lines = ("a.md", "(a|b)+", "[", "[[:alpha:]]", ".*.*.*b", "(a|a)" * 30 + "b")
    files = {"hugo.yaml": f"ignoreFiles: {[*lines]}\n", f"content/{'a' * 200}/{'a' * 200}.md": "# A\n"}
    warnings = survey(write_tree(tmp_path / "c", files) / "content", OPEN).warnings
    assert [(warning.file, warning.kind) for warning in warnings] == [("hugo.yaml", "field")] * 5
    assert [warning.message.split("'")[1] for warning in warnings] == [*lines[1:]]


def test_expression_of_mkdocs_that_is_not_used_is_reported(tmp_path: Path) -> None:
    """A1: its pages are published, so the author must know."""
    files = {"mkdocs.yml": _EXCLUDE, "docs/aab.md": "# A\n"}
    (warning,) = survey(write_tree(tmp_path / "c", files) / "docs", OPEN).warnings
    assert (warning.file, warning.message.partition(": write")[0]) == ("mkdocs.yml", "`regex`: '(a+)+' cannot be used")


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("mkdocs.yml", "site_name: x\nexclude_docs: |\n  b.md\nnav: [a\n", 5),
        ("docs/conf.py", "exclude_patterns = ['b.md']\nprint 'x'\n", 2),
        ("hugo.toml", "title = 'x'\nignoreFiles = [a]\n", 2),
        ("../_quarto.yml", b"project: caf\xe9\n", 0),
        ("docs/.obsidian/publish.json", '{"excluded": ["b.md"],}', 1),
        ("base.yml", "a: [\n", 2),
        ("docs/conf.py", "#" * 200_001, 0),
        ("docs/meta.json", '{"title": "A",}', 1),
        ("docs/b/_meta.json", "{", 1),
        ("config.toml", "baseURL = 'https://a.example'\nignoreFiles = [a]\n", 2),
        ("config.yaml", "BaseURL: https://a.example\nmenu: [a\nb: c\n", 3),
        ("docs/logseq/config.edn", b":hidden [\xe9]", 0),
    ],
)
def test_settings_that_cannot_be_read_are_reported(tmp_path: Path, file: str, text: str | bytes, line: int) -> None:
    """N9: also inherited ones; not those of other programs."""
    files = {
        "mkdocs.yml": "INHERIT: base.yml\n",
        "../config.yaml": "{{ x }}: [",
        "config.yml": "url: [a\n",
        "docs/d/d.json": '{"draft": true',
        file: text,
        "docs/a.md": "# A\n",
        "docs/d/e.md": "# E\n",
    }
    (warning,) = survey(write_tree(tmp_path / "b" / "c", files) / "docs", OPEN).warnings
    name = file.removeprefix("docs/") if file.startswith("docs/") else f"../{file}"
    assert (warning.file, warning.line) == (name, line)
    message = "the settings cannot be read and are ignored, also those that leave pages out; correct them"
    assert warning.message.startswith(message)


def test_page_that_settings_exclude_is_published_only_with_an_audience_or_as_a_part(tmp_path: Path) -> None:
    """A1, A3."""
    files = {"conf.py": "exclude_patterns = ['parts']\n", "index.md": "# Home\n\n```{include} parts/a.md\n```\n"}
    parts = {"parts/a.md": "Part\n", "parts/b.md": "---\naudience: public\n---\n# B\n", "parts/c.md": "# C\n"}
    result = survey(write_tree(tmp_path / "c", files | parts), OPEN)
    assert [page.page.neuron.path for page in result.rendered] == ["index.md", "parts/b.md"]
    assert "Part" in result.rendered[0].html
    reason = f"{Reason.EXCLUDED}: conf.py"
    assert result.admitted.withheld == {reason: 2}
    assert result.admitted.first == {reason: "parts/a.md"}
