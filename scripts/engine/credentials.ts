import './instance';

import { Credentials, getAdditionalKeys, UnrecognizedCredentialTypeError } from 'n8n-core';
import type {
  GenericValue,
  ICredentialDataDecryptedObject,
  ICredentialsExpressionResolveValues,
  ICredentialType,
  IDataObject,
  IExecuteData,
  IHttpRequestOptions,
  INode,
  INodeCredentialsDetails,
  INodeParameters,
  INodeProperties,
  IRequestOptionsSimplified,
  IWorkflowExecuteAdditionalData,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import {
  ICredentialsHelper,
  isExpression,
  NodeHelpers,
  UnexpectedError,
  UserError,
  Workflow,
} from 'n8n-workflow';

/** A credential as the user entered it. Values that start with `=` are expressions. */
export interface CredentialEntry {
  name?: string;
  type: string;
  data: ICredentialDataDecryptedObject;
}

/** Credentials by ID. The nodes of a workflow name a credential by its ID. */
export type CredentialEntries = Record<string, CredentialEntry>;

const node: INode = {
  id: 'credential',
  name: 'Credential',
  type: 'credential',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/**
 * n8n's credentials helper, with a map in place of the database. n8n-core's `Credentials` encrypt the
 * data in the map. As in n8n, every read decrypts the data, applies the defaults of the credential
 * type and then resolves expressions.
 */
export class StoredCredentials extends ICredentialsHelper {
  private readonly stored = new Map<string, Credentials>();

  private constructor(private readonly types: ICredentialType[]) {
    super();
  }

  /**
   * Stores credentials.
   *
   * @param types all types that they and their nodes may have
   */
  static async of(
    entries: CredentialEntries,
    types: ICredentialType[],
  ): Promise<StoredCredentials> {
    const helper = new StoredCredentials(types);
    for (const [id, { name = id, type, data }] of Object.entries(entries)) {
      const credentials = new Credentials({ id, name }, type);
      await credentials.setData(data);
      helper.stored.set(id, credentials);
    }
    return helper;
  }

  override getParentTypes(name: string): string[] {
    const parents = this.typeOf(name).extends ?? [];
    return [...parents, ...parents.flatMap((parent) => this.getParentTypes(parent))];
  }

  override isCredentialUsableByNode(): boolean {
    return true;
  }

  override getCredentialsProperties(name: string): INodeProperties[] {
    const { extends: parents = [], properties } = this.typeOf(name);
    const merged = parents.flatMap((parent) => this.getCredentialsProperties(parent));
    NodeHelpers.mergeNodeProperties(merged, properties);
    return merged;
  }

  override getCredentials(
    { id, name }: INodeCredentialsDetails,
    type: string,
  ): Promise<Credentials> {
    if (!id) {
      return Promise.reject(
        new UserError(`Found credential "${name}" of type "${type}" with no ID`),
      );
    }
    const found = this.stored.get(id);
    if (found?.type !== type) {
      return Promise.reject(
        new UserError(`Credential with ID "${id}" does not exist for type "${type}".`),
      );
    }
    const { name: storedName, data } = found.getDataToSave();
    return Promise.resolve(new Credentials({ id, name: storedName }, type, data));
  }

  override async getDecrypted(
    additionalData: IWorkflowExecuteAdditionalData,
    nodeCredentials: INodeCredentialsDetails,
    type: string,
    mode: WorkflowExecuteMode,
    executeData?: IExecuteData,
    raw?: boolean,
    at?: ICredentialsExpressionResolveValues,
  ): Promise<ICredentialDataDecryptedObject> {
    const data = await (await this.getCredentials(nodeCredentials, type)).getData();
    return raw ? data : this.resolve(additionalData, data, type, mode, executeData, at);
  }

  /** Applies the defaults of the credential type to the data and resolves its expressions. */
  resolve(
    additionalData: IWorkflowExecuteAdditionalData,
    data: ICredentialDataDecryptedObject,
    type: string,
    mode: WorkflowExecuteMode,
    executeData?: IExecuteData,
    at?: ICredentialsExpressionResolveValues,
  ): ICredentialDataDecryptedObject {
    const withDefaults = NodeHelpers.getNodeParameters(
      this.getCredentialsProperties(type),
      data as INodeParameters,
      true,
      false,
      null,
      null,
    ) as INodeParameters;
    const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });
    const resolved = at
      ? at.workflow.expression.getParameterValue(
          withDefaults,
          at.runExecutionData,
          at.runIndex,
          at.itemIndex,
          at.node.name,
          at.connectionInputData,
          mode,
          keys,
          executeData,
          false,
          withDefaults,
        )
      : nodelessWorkflow().expression.getComplexParameterValue(
          node,
          withDefaults,
          mode,
          keys,
          undefined,
          undefined,
          withDefaults,
        );
    return resolved as ICredentialDataDecryptedObject;
  }

  override async authenticate(
    credentials: ICredentialDataDecryptedObject,
    typeName: string,
    options: IHttpRequestOptions | IRequestOptionsSimplified,
    workflow?: Workflow,
    requestingNode?: INode,
  ): Promise<IHttpRequestOptions> {
    const request = options as IHttpRequestOptions;
    const { authenticate } = this.typeOf(typeName);
    if (typeof authenticate === 'function') return await authenticate(credentials, request);
    if (authenticate === undefined) return request;
    if (!workflow || !requestingNode) {
      throw new UnexpectedError('A workflow and a node are needed to authenticate by expressions');
    }
    const evaluate = (text: unknown) =>
      isExpression(text)
        ? String(
            workflow.expression.getSimpleParameterValue(
              requestingNode,
              text,
              'internal',
              { $credentials: credentials },
              undefined,
              '',
            ) || '',
          )
        : text;
    const parts = request as unknown as Record<string, IDataObject>;
    for (const [part, values] of Object.entries(authenticate.properties)) {
      const target = (parts[part] ??= {});
      for (const [key, value] of Object.entries(values as IDataObject)) {
        target[evaluate(key) as string] = evaluate(value) as GenericValue;
      }
    }
    return request;
  }

  override preAuthentication(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override runPreAuthentication(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override async updateCredentials(
    nodeCredentials: INodeCredentialsDetails,
    type: string,
    data: ICredentialDataDecryptedObject,
  ): Promise<void> {
    const credentials = await this.getCredentials(nodeCredentials, type);
    await credentials.setData(data);
    this.stored.set(String(nodeCredentials.id), credentials);
  }

  override updateCredentialsOauthTokenData(): Promise<void> {
    return Promise.reject(new UnexpectedError('No credential type of this package uses OAuth'));
  }

  private typeOf(name: string): ICredentialType {
    const type = this.types.find((known) => known.name === name);
    if (!type) throw new UnrecognizedCredentialTypeError(name);
    return type;
  }
}

/** Outside a workflow, n8n resolves expressions of a credential in a workflow of one empty node. */
function nodelessWorkflow(): Workflow {
  return new Workflow({
    nodes: [node],
    connections: {},
    active: false,
    nodeTypes: {
      getByName: () => emptyNodeType,
      getByNameAndVersion: () => emptyNodeType,
      getKnownTypes: () => ({}),
    },
  });
}

const emptyNodeType = {
  description: {
    displayName: 'Credential',
    name: 'credential',
    group: [],
    version: 1,
    description: '',
    defaults: {},
    inputs: [],
    outputs: [],
    properties: [],
  },
};
