import type { INodeType } from 'n8n-workflow';

import { type NodesByPackage, NodeTypesOf } from '../../../scripts/engine/node-types';
import { nodes, packageName } from './package-contents';
import { EditInPlace, FailWith, Loop, Start, Wait } from './test-nodes';
import { tools } from './tools';

const packages: NodesByPackage = {
  [packageName]: nodes,
  'test-nodes': [new Start(), new EditInPlace(), new Loop(), new Wait(), new FailWith()],
  tools,
};

/** The node types for the workflows of the engine tests. */
export class KnownNodeTypes extends NodeTypesOf {
  /** @param more node types of a single test, by full type */
  constructor(more: Record<string, INodeType> = {}) {
    super(packages, more);
  }
}
