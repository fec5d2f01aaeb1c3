import { UnrecognizedNodeTypeError } from 'n8n-core';
import type { INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

/** Nodes by package. The full type of a node is `<package>.<name in its description>`. */
export type NodesByPackage = Record<string, Array<INodeType | IVersionedNodeType>>;

/** The node types that workflows on the engine may have. */
export class NodeTypesOf implements INodeTypes {
  private readonly types = new Map<string, INodeType | IVersionedNodeType>();

  /** @param more node types by full type */
  constructor(packages: NodesByPackage, more: Record<string, INodeType> = {}) {
    for (const [name, nodes] of Object.entries(packages)) {
      for (const node of nodes) this.types.set(`${name}.${node.description.name}`, node);
    }
    for (const [type, node] of Object.entries(more)) this.types.set(type, node);
  }

  getByName(type: string): INodeType | IVersionedNodeType {
    const known = this.types.get(type);
    if (known) return known;
    const [packageName = '', name = ''] = type.split('.');
    throw new UnrecognizedNodeTypeError(packageName, name);
  }

  getByNameAndVersion(type: string, version?: number): INodeType {
    return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
  }

  getKnownTypes() {
    return {};
  }
}
