import js from '@eslint/js';
import { config as n8n } from '@n8n/node-cli/eslint';
import { defineConfig } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import { importX } from 'eslint-plugin-import-x';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

import walls from './eslint.walls.mjs';

/** The plugins that n8n's rules and ours both use. ESLint takes one instance of each. */
const shared = { '@typescript-eslint': tseslint.plugin, 'import-x': importX };

/** n8n's own rules for what is published. An update of n8n's command line brings new ones. */
const published = n8n.map(({ plugins = {}, ...block }) => ({
  ...block,
  plugins: Object.fromEntries(
    Object.entries(plugins).map(([name, plugin]) => [name, shared[name] ?? plugin]),
  ),
}));

export default defineConfig(
  {
    ignores: [
      'dist/**',
      '.build/**',
      'coverage/**',
      '.n8n/**',
      'node_modules/**',
      '**/package-lock.json',
    ],
  },
  { files: ['package.json', '{credentials,nodes}/**/*.ts'], extends: [published] },
  {
    files: ['**/*.{js,mjs}'],
    ...js.configs.recommended,
    languageOptions: {
      globals: {
        module: 'writable',
        exports: 'writable',
        require: 'readonly',
        process: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['**/*.{ts,js,mjs}'],
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: { 'simple-import-sort/imports': 'error' },
  },
  walls,
  prettier,
);
