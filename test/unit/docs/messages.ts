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
  refuse: [1, 2],
  FieldError: [1, 2],
  wrong: [0, 1],
  Refusal: [1, -1],
};

/** The properties that hold a message, with those beside them that say what to do. */
const PROPERTIES: Readonly<Record<string, string>> = { message: 'description', problem: 'hint' };

/** What else is said to users: the functions and constants that hold it, by the end of their file. */
const SPEAKERS: Readonly<Record<string, readonly string[]>> = {
  'agent/fields.ts': ['scheduleNote'],
  'methods/addressProblem.ts': ['addressProblem'],
  'methods/credentialTest.ts': ['findProblem'],
  'operations/fields.ts': ['noneIn'],
  'pages/pages.ts': ['MOVED', 'REPEATED', 'NOT_COMPARED', 'lacking'],
  'parameters/files.ts': ['fileWarnings', 'addressProblem'],
  'post/compose.ts': ['inactiveWords', 'warningsOf'],
  'post/platformCheck.ts': ['read'],
  'post/preview.operation.ts': ['accountWarnings', 'notCreated', 'workedOut'],
  'run/notices.ts': ['capped', 'dueWords', 'earlierWords', 'quotaWords', 'realWords', 'runHints'],
  'run/recall.ts': ['fromLog'],
  'run/uncertainty.ts': ['NOT_SENT_AGAIN', 'stillUncertain'],
  'SocialPublishingTrigger/delivery.ts': ['receiveVerified'],
  'SocialPublishingTrigger/response.ts': ['unexpected'],
};

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
  const own = textsOf(node).filter((text) => text.split(/[\s…]+/).filter(Boolean).length > 1);
  return own.length > 0 ? own : childrenOf(node).flatMap(sentencesIn);
};

const isNamed = (node: ts.Node, name: string): boolean =>
  (ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node)) &&
  nameOf(node.name) === name;

/** The first node below a node that declares a name. */
function declaration(node: ts.Node, name: string): ts.Node | undefined {
  return isNamed(node, name)
    ? node
    : childrenOf(node)
        .map((child) => declaration(child, name))
        .find((found) => found !== undefined);
}

const spoken = Object.entries(SPEAKERS).flatMap(([file, names]) => {
  const source = sources.find(({ fileName }) => fileName.endsWith(file));
  return names.flatMap((name) => {
    const found = source && declaration(source, name);
    if (found === undefined) throw new Error(`${file} has no ${name}.`);
    return sentencesIn(found).map((text): Message => ({ file, text, solutions: [] }));
  });
});

/** What the errors of a field and others say, with what to do about it. */
export const failures: readonly Message[] = sources.flatMap((source) =>
  messagesIn(source.fileName, source),
);

/** All that is said to users, as far as it stands in the source. */
export const messages: readonly Message[] = [...failures, ...spoken];
