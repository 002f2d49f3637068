// Writes a .gz beside every file of dist/ that gains from it, and prints what the first load weighs.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = new URL('../dist/', import.meta.url).pathname;
const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt']);
const firstLoadLimit = 350 * 1024;

const files = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)],
  );

const sizes = new Map();
for (const file of files(root).filter((name) => !name.endsWith('.gz'))) {
  const name = relative(root, file);
  const bytes = readFileSync(file);
  if (!compressible.has(extname(file))) {
    sizes.set(name, bytes.length);
    continue;
  }
  const packed = gzipSync(bytes, { level: 9 });
  writeFileSync(`${file}.gz`, packed);
  sizes.set(name, packed.length);
}

// The first load is the page, what it names, and the fonts of ordinary text.
const page = readFileSync(join(root, 'index.html'), 'utf8');
const isFirst = (name) => name === 'index.html' || page.includes(`/${name}`) || /serif.*woff2$/.test(name);
let first = 0;
for (const [name, size] of [...sizes].sort((a, b) => b[1] - a[1])) {
  if (isFirst(name)) first += size;
  console.log(`${isFirst(name) ? '*' : ' '} ${(size / 1024).toFixed(1).padStart(7)} KB  ${name}`);
}
console.log(`first load (*): ${(first / 1024).toFixed(1)} KB gzip, ${statSync(root).isDirectory() ? sizes.size : 0} files`);
if (first > firstLoadLimit) {
  console.error('The first load is over its limit of 350 KB.');
  process.exit(1);
}
