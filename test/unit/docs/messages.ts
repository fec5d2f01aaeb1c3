import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import * as ts from 'typescript';

import { repositoryDir } from '../../../scripts/n8n/paths';
import { read } from './documents';

/** A text for users that the source holds, with `…` for each value in it, and what it says to do. */
export interface Message {
  readonly file: string;
  readonly text: string;
  /** The ways in which what to do is said; empty where that is put together elsewhere. */
  readonly solutions: readonly string[];
}

/** The functions that take a message and what to do about it, with the places of the two. */
const CALLS: Readonly<Record<string, readonly [message: number, solution: number]>> = {
  because: [0, 1],
  refuse: [1, 2],
  objection: [0, 1],
  wrong: [0, 1],
  RefusedDelivery: [2, -1],
};

/** The properties that hold a message, with those beside them that say what to do. */
const PROPERTIES: Readonly<Record<string, string>> = { message: 'description', problem: 'hint' };

const SOLUTIONS = new Set(Object.values(PROPERTIES));

/** What else is said to users: the functions and constants that hold it. */
const SPEAKERS = [
  'addressProblem',
  'capped',
  'customBodyWarnings',
  'differs',
  'dueWords',
  'earlierWords',
  'existingWords',
  'existsFailure',
  'executionOf',
  'fileWarnings',
  'findProblem',
  'goOnWithOthers',
  'MAY_MISS_POSTS',
  'MOVED',
  'NOT_COMPARED',
  'NOT_SENT_AGAIN',
  'noneIn',
  'notDone',
  'notCreated',
  'ownAddressProblem',
  'passedWarnings',
  'quotaWords',
  'readForWarnings',
  'realWords',
  'receiveVerified',
  'runHints',
  'scheduleNote',
  'sharedFailure',
  'sentAsFiles',
  'stillUncertain',
  'timeWarnings',
  'unexpected',
  'variantOf',
  'workedOut',
] as const;

/** The texts that an expression may come to. */
function textsOf(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [
      `${node.head.text}${node.templateSpans.map((span) => `…${span.literal.text}`).join('')}`,
    ];
  }
  if (ts.isConditionalExpression(node)) {
    return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  }
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node)
    ? textsOf(node.expression)
    : [];
}

const nameOf = (node: ts.Node | undefined): string =>
  node === undefined
    ? ''
    : ts.isPropertyAccessExpression(node)
      ? node.name.text
      : ts.isIdentifier(node)
        ? node.text
        : '';

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

function messagesIn(file: string, node: ts.Node): Message[] {
  const inside = childrenOf(node).flatMap((child) => messagesIn(file, child));
  const all = (texts: readonly string[], solution: ts.Node | undefined): Message[] =>
    texts.map((text) => ({ file, text, solutions: textsOf(solution) }));
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const name = nameOf(node.expression);
    const [message, solution] = Object.hasOwn(CALLS, name) ? CALLS[name]! : [];
    if (message === undefined || solution === undefined) return inside;
    const given = node.arguments ?? [];
    return [...all(textsOf(given[message]), given[solution]), ...inside];
  }
  if (ts.isPropertyAssignment(node)) {
    const name = nameOf(node.name);
    const beside = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined;
    if (beside === undefined) return inside;
    const solution = node.parent.properties
      .filter(ts.isPropertyAssignment)
      .find(({ name }) => nameOf(name) === beside);
    return [...all(textsOf(node.initializer), solution?.initializer), ...inside];
  }
  if (ts.isVariableDeclaration(node) && nameOf(node.name) in PROPERTIES) {
    return [...all(textsOf(node.initializer), undefined), ...inside];
  }
  return inside;
}

const sources = readdirSync(join(repositoryDir, 'nodes'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const path = join('nodes', file);
    return ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  });

/** The texts below a node that are more than a few words. */
const sentencesIn = (node: ts.Node): string[] => {
  if (ts.isPropertyAssignment(node) && SOLUTIONS.has(nameOf(node.name))) return [];
  const own = textsOf(node).filter((text) => text.split(/[\s…]+/).filter(Boolean).length > 1);
  return own.length > 0 ? own : childrenOf(node).flatMap(sentencesIn);
};

const isNamed = (node: ts.Node, name: string): boolean =>
  (ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node)) &&
  nameOf(node.name) === name;

/** The nodes below a node that declare a name. */
const declarations = (node: ts.Node, name: string): ts.Node[] =>
  isNamed(node, name) ? [node] : childrenOf(node).flatMap((child) => declarations(child, name));

const spoken = SPEAKERS.flatMap((name) => {
  const texts = sources.flatMap((source) =>
    declarations(source, name).flatMap((found) =>
      sentencesIn(found).map((text): Message => ({ file: source.fileName, text, solutions: [] })),
    ),
  );
  if (texts.length === 0) throw new Error(`${name} says nothing to users.`);
  return texts;
});

/** What the errors of a field and others say, with what to do about it. */
export const failures: readonly Message[] = sources.flatMap((source) =>
  messagesIn(source.fileName, source),
);

/** All that is said to users, as far as it stands in the source. */
export const messages: readonly Message[] = [...failures, ...spoken];
