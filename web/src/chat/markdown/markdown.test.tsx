import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Citation, Claim } from '../../api/types';
import { lex } from './lex';
import { claimsInText, splitLeaf, withoutSources } from './marks';
import { Markdown } from './markdown';

const claim = (text: string, begin: number, end: number): Claim => ({ text, begin, end, origin: 'cell', cells: [], passage: null });
const citation = (n: number) => ({ n }) as Citation;
const html = (source: string): string => render(<Markdown source={source} />).container.querySelector('.prose')?.innerHTML ?? '';

describe('Markdown', () => {
  it.each([
    ['**b** and *i*', '<p><strong>b</strong> and <em>i</em></p>'],
    ['a\n\nb', '<p>a</p><p>b</p>'],
    ['- x\n- y', '<ul><li>x</li><li>y</li></ul>'],
    ['3. x', '<ol start="3"><li>x</li></ol>'],
    ['`a < b`', '<p><code>a &lt; b</code></p>'],
    ['# T', '<h3>T</h3>'],
    ['1 \\* 2', '<p>1 * 2</p>'],
    ['R&amp;D', '<p>R&amp;D</p>'],
    ['~~x~~', '<p><del>x</del></p>'],
  ])('draws %j', (source, expected) => {
    expect(html(source).replaceAll(/<\/?span>/g, '').replaceAll(' class=""', '')).toBe(expected);
  });

  it.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', 'a <b>bold</b> word', '<style>p{}</style>'])('shows HTML as text: %s', (source) => {
    const { container } = render(<Markdown source={source} />);
    expect(container.querySelector('script, img, b, style')).toBeNull();
    expect(container.textContent).toContain('<');
  });

  it('makes links only of harmless addresses', () => {
    render(<Markdown source={'[good](https://a.example) [bad](javascript:alert(1)) [worse](data:text/html,x) [other](//evil.example)'} />);
    expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['good']);
    expect(screen.getByRole('link').getAttribute('rel')).toContain('noreferrer');
  });

  it('loads no pictures', () => {
    const { container } = render(<Markdown source="![a chart](https://a.example/x.png)" />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.textContent).toContain('a chart');
  });

  it('aligns the figures of tables, and leaves out a table that is shown elsewhere', () => {
    const source = '| team | wins |\n| --- | ---: |\n| Lakers | 3 |\n';
    const { container, rerender } = render(<Markdown source={source} />);
    expect(container.querySelectorAll('td')[1]?.className).toBe('numeric');
    rerender(<Markdown source={source} hidesTable={(headers) => headers.join() === 'team,wins'} />);
    expect(container.querySelector('table')).toBeNull();
  });

  it('knows a column whose name is escaped', () => {
    const source = '| full\\_name |\n| --- |\n| Ann |\n';
    const { container } = render(<Markdown source={source} hidesTable={(headers) => headers.join() === 'full_name'} />);
    expect(container.querySelector('table')).toBeNull();
  });

  it('draws claims and citations in their places, also in tables and lists', () => {
    const source = 'Up **157** to 1,317 [1].\n\n- peak 1,319\n\n| n |\n| --- |\n| 42 |\n';
    const claims = ['157', '1,317', '1,319', '42'].map((text) => claim(text, source.indexOf(text), source.indexOf(text) + text.length));
    render(
      <Markdown
        source={source}
        claims={claims}
        citations={[citation(1)]}
        renderClaim={(each, key) => <b key={key} data-testid="claim">{each.text}</b>}
        renderCitation={(n, key) => <i key={key} data-testid="citation">{n}</i>}
      />,
    );
    expect(screen.getAllByTestId('claim').map((each) => each.textContent)).toEqual(['157', '1,317', '1,319', '42']);
    expect(screen.getByTestId('citation').textContent).toBe('1');
  });

  it('draws formulas as MathML', async () => {
    const { container } = render(<Markdown source={'Let $x^2$ be.\n\n$$\\frac{a}{b}$$\n'} />);
    await expect.poll(() => container.querySelectorAll('math').length, { timeout: 30_000 }).toBe(2);
    expect(container.querySelector('[style]')).toBeNull();
  });
});

describe('lex', () => {
  it.each([
    ['it costs $5 and $10', 0],
    ['$5-$10', 0],
    ['a $ b $ c', 0],
    ['$x$', 1],
    ['\\(y\\)', 1],
    ['the $a_1$ and $b$', 2],
  ])('finds the formulas of %j', (source, count) => {
    const [paragraph] = lex(source);
    const inline = paragraph && 'tokens' in paragraph ? (paragraph.tokens ?? []) : [];
    expect(inline.filter((token) => token.type === 'math')).toHaveLength(count);
  });
});

describe('marks', () => {
  it('counts bytes as the server does', () => {
    const text = '½ – 42';
    const begin = new TextEncoder().encode('½ – ').length;
    expect(claimsInText(text, [claim('42', begin, begin + 2)])).toMatchObject([{ begin: 4, end: 6 }]);
  });

  it('leaves out claims that do not fit the text', () => {
    expect(splitLeaf('a 41 b', 0, [claim('42', 2, 4)], [])).toEqual([{ kind: 'text', text: 'a 41 b' }]);
  });

  it('takes only numbers that are cited for references', () => {
    const pieces = splitLeaf('x [1, 2] y [9] z', undefined, [], [citation(1), citation(2)]);
    expect(pieces).toEqual([
      { kind: 'text', text: 'x' },
      { kind: 'citation', n: 1 },
      { kind: 'citation', n: 2 },
      { kind: 'text', text: ' y [9] z' },
    ]);
  });

  it('drops the list of sources only where the sources are shown', () => {
    const text = 'Raised [1].\n\nSources:\n  [1] minutes, 2023-05-03, §Decision (chunk c1)\n';
    expect(withoutSources(text, [citation(1)])).toBe('Raised [1].');
    expect(withoutSources(text, [])).toBe(text);
  });
});
