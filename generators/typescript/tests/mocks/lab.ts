// The SDK of the package `lab` of the recorded registrations, as Pulumi generates SDKs from schemas:
// defaults and secrets are those that the classes of an SDK know.
import * as pulumi from "@pulumi/pulumi";

export interface CfgArgs {
    region?: pulumi.Input<string | undefined>;
    token?: pulumi.Input<string | undefined>;
    depth?: pulumi.Input<number | undefined>;
    inner?: pulumi.Input<CfgArgs | undefined>;
}

export interface Cfg {
    region?: string;
    token?: string;
    depth?: number;
    inner?: Cfg;
}

export interface Info {
    addr?: string;
    port?: number;
    sub?: Info;
}

export const Mode = { Fast: "fast", Slow: "slow" } as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

function defaultsOfCfg(cfg: any): any {
    return { ...cfg, region: cfg.region ?? "r1", inner: withDefaults(cfg.inner) };
}

function withDefaults(cfg: any): any {
    return cfg === undefined ? undefined : pulumi.output(cfg).apply((cfg) => cfg && defaultsOfCfg(cfg));
}

function secret(value: any): any {
    return value === undefined || value === null ? undefined : pulumi.secret(value);
}

async function plainly(result: any): Promise<any> {
    const value = await result.promise(true);
    if (!(await result.isKnown) || (await result.isSecret)) {
        throw new Error("a plain method gave a value that is unknown or secret");
    }
    return value["res"];
}

export interface BoxArgs {
    name?: pulumi.Input<string | undefined>;
    size?: pulumi.Input<number | undefined>;
    ratio?: pulumi.Input<number | undefined>;
    on?: pulumi.Input<boolean | undefined>;
    tags?: pulumi.Input<{ [key: string]: pulumi.Input<string> } | undefined>;
    items?: pulumi.Input<pulumi.Input<string>[] | undefined>;
    nums?: pulumi.Input<pulumi.Input<number>[] | undefined>;
    cfg?: pulumi.Input<CfgArgs | undefined>;
    cfgs?: pulumi.Input<pulumi.Input<CfgArgs>[] | undefined>;
    password?: pulumi.Input<string | undefined>;
    blob?: pulumi.Input<pulumi.asset.Asset | undefined>;
    files?: pulumi.Input<pulumi.asset.Archive | undefined>;
    extra?: any;
    peer?: pulumi.Input<Box | undefined>;
    mode?: pulumi.Input<Mode | undefined>;
    either?: pulumi.Input<string | number | undefined>;
    zone?: pulumi.Input<string | undefined>;
}

export interface BoxState {
    name?: pulumi.Input<string | undefined>;
    key?: pulumi.Input<string | undefined>;
}

export class Box extends pulumi.CustomResource {
    public static get(name: string, id: pulumi.Input<pulumi.ID>, state?: BoxState, opts?: pulumi.CustomResourceOptions): Box {
        return new Box(name, state as any, { ...opts, id });
    }

    declare public readonly name: pulumi.Output<string | undefined>;
    declare public readonly size: pulumi.Output<number | undefined>;
    declare public readonly tags: pulumi.Output<{ [key: string]: string } | undefined>;
    declare public readonly items: pulumi.Output<string[] | undefined>;
    declare public readonly cfg: pulumi.Output<Cfg | undefined>;
    declare public readonly password: pulumi.Output<string | undefined>;
    declare public readonly blob: pulumi.Output<pulumi.asset.Asset | undefined>;
    declare public readonly extra: pulumi.Output<any | undefined>;
    declare public readonly peer: pulumi.Output<any>;
    declare public readonly out: pulumi.Output<string>;
    declare public readonly hidden: pulumi.Output<string>;
    declare public readonly count: pulumi.Output<number>;
    declare public readonly flag: pulumi.Output<boolean | undefined>;
    declare public readonly list: pulumi.Output<string[]>;
    declare public readonly info: pulumi.Output<Info>;
    declare public readonly infos: pulumi.Output<Info[] | undefined>;

    constructor(name: string, args?: BoxArgs, opts?: pulumi.CustomResourceOptions) {
        const inputs: pulumi.Inputs = {};
        opts = opts || {};
        if (opts.id) {
            const state = args as BoxState | undefined;
            inputs["name"] = state?.name;
            inputs["key"] = state?.key;
        } else {
            inputs["name"] = args?.name;
            inputs["size"] = args?.size;
            inputs["ratio"] = args?.ratio;
            inputs["on"] = args?.on;
            inputs["tags"] = args?.tags;
            inputs["items"] = args?.items;
            inputs["nums"] = args?.nums;
            inputs["cfg"] = withDefaults(args?.cfg);
            inputs["cfgs"] = args?.cfgs;
            inputs["password"] = secret(args?.password);
            inputs["blob"] = args?.blob;
            inputs["files"] = args?.files;
            inputs["extra"] = args?.extra;
            inputs["peer"] = args?.peer;
            inputs["mode"] = args?.mode;
            inputs["either"] = args?.either;
            inputs["zone"] = (args?.zone) ?? "z1";
        }
        for (const name of ["out", "hidden", "count", "flag", "list", "info", "infos"]) {
            inputs[name] = undefined;
        }
        opts = pulumi.mergeOptions(opts, { additionalSecretOutputs: ["hidden", "password"] });
        super("lab:index:Box", name, inputs, opts);
    }

    describe(args?: DescribeArgs): pulumi.Output<{ text?: string }> {
        args = args || {};
        return pulumi.runtime.call("lab:index:Box/describe", { __self__: this, lang: (args.lang) ?? "en" }, this);
    }

    plain(): Promise<string> {
        return plainly(pulumi.runtime.call("lab:index:Box/plain", { __self__: this }, this));
    }
}

export interface DescribeArgs {
    lang?: pulumi.Input<string | undefined>;
}

export interface FixedArgs {
    kind?: pulumi.Input<"fixed" | undefined>;
    label: pulumi.Input<string>;
    cfg?: pulumi.Input<CfgArgs | undefined>;
}

export class Fixed extends pulumi.CustomResource {
    declare public readonly kind: pulumi.Output<string | undefined>;
    declare public readonly label: pulumi.Output<string | undefined>;
    declare public readonly result: pulumi.Output<string | undefined>;

    constructor(name: string, args: FixedArgs, opts?: pulumi.CustomResourceOptions) {
        const inputs: pulumi.Inputs = {};
        opts = opts || {};
        if (args?.label === undefined && !opts.urn) {
            throw new Error("Missing required property 'label'");
        }
        inputs["kind"] = "fixed";
        inputs["label"] = args?.label;
        inputs["cfg"] = withDefaults(args?.cfg);
        inputs["result"] = undefined;
        opts = pulumi.mergeOptions(opts, { replaceOnChanges: ["label"] });
        super("lab:index:Fixed", name, inputs, opts);
    }
}

export interface GroupArgs {
    prefix?: pulumi.Input<string | undefined>;
    children?: pulumi.Input<number | undefined>;
    box?: pulumi.Input<Box | undefined>;
}

export class Group extends pulumi.ComponentResource {
    declare public readonly prefix: pulumi.Output<string | undefined>;
    declare public readonly first: pulumi.Output<Box | undefined>;
    declare public readonly total: pulumi.Output<number | undefined>;

    constructor(name: string, args?: GroupArgs, opts?: pulumi.ComponentResourceOptions) {
        const inputs: pulumi.Inputs = {};
        inputs["prefix"] = args?.prefix;
        inputs["children"] = args?.children;
        inputs["box"] = args?.box;
        inputs["first"] = undefined;
        inputs["total"] = undefined;
        super("lab:index:Group", name, inputs, opts || {}, true /* remote */);
    }

    describe(args?: DescribeArgs): pulumi.Output<{ text?: string }> {
        return pulumi.runtime.call("lab:index:Group/describe", { __self__: this, lang: args?.lang }, this);
    }
}

export interface ProviderArgs {
    region?: pulumi.Input<string | undefined>;
    key?: pulumi.Input<string | undefined>;
    level?: pulumi.Input<number | undefined>;
}

export class Provider extends pulumi.ProviderResource {
    declare public readonly region: pulumi.Output<string | undefined>;
    declare public readonly key: pulumi.Output<string | undefined>;

    constructor(name: string, args?: ProviderArgs, opts?: pulumi.ResourceOptions) {
        const inputs: pulumi.Inputs = {};
        inputs["region"] = args?.region;
        inputs["key"] = secret(args?.key);
        inputs["level"] = pulumi.output(args?.level).apply(JSON.stringify);
        super("lab", name, inputs, opts || {});
    }
}

export interface GetThingArgs {
    name?: string;
    count?: number;
    secretKey?: string;
    cfg?: Cfg;
}

export interface GetThingOutputArgs {
    name?: pulumi.Input<string | undefined>;
    count?: pulumi.Input<number | undefined>;
    secretKey?: pulumi.Input<string | undefined>;
    cfg?: pulumi.Input<CfgArgs | undefined>;
}

export interface GetThingResult {
    result?: string;
    id?: string;
    list?: string[];
    box?: Box;
}

export function getThing(args?: GetThingArgs, opts?: pulumi.InvokeOptions): Promise<GetThingResult> {
    args = args || {};
    return pulumi.runtime.invoke("lab:index:getThing", {
        name: args.name,
        count: (args.count) ?? 1,
        secretKey: args.secretKey,
        cfg: args.cfg && defaultsOfCfg(args.cfg),
    }, opts || {});
}

export function getThingOutput(args?: GetThingOutputArgs, opts?: pulumi.InvokeOutputOptions): pulumi.Output<GetThingResult> {
    args = args || {};
    return pulumi.runtime.invokeOutput("lab:index:getThing", {
        name: args.name,
        count: (args.count) ?? 1,
        secretKey: args.secretKey,
        cfg: withDefaults(args.cfg),
    }, opts || {});
}

export function scalar(args?: { x?: string }, opts?: pulumi.InvokeOptions): Promise<string> {
    return pulumi.runtime.invokeSingle("lab:index:scalar", { x: args?.x }, opts || {});
}

export function scalarOutput(args?: { x?: pulumi.Input<string | undefined> }, opts?: pulumi.InvokeOutputOptions): pulumi.Output<string> {
    return pulumi.runtime.invokeSingleOutput("lab:index:scalar", { x: args?.x }, opts || {});
}

export function noArgs(opts?: pulumi.InvokeOptions): Promise<{ result?: string }> {
    return pulumi.runtime.invoke("lab:index:noArgs", {}, opts || {});
}

export function noArgsOutput(opts?: pulumi.InvokeOutputOptions): pulumi.Output<{ result?: string }> {
    return pulumi.runtime.invokeOutput("lab:index:noArgs", {}, opts || {});
}

export namespace mod {
    export interface ThingArgs {
        v?: pulumi.Input<string | undefined>;
    }

    export class Thing extends pulumi.CustomResource {
        declare public readonly v: pulumi.Output<string | undefined>;

        constructor(name: string, args?: ThingArgs, opts?: pulumi.CustomResourceOptions) {
            super("lab:mod/thing:Thing", name, { v: args?.v }, opts || {});
        }
    }

    export function lookup(args?: { v?: string }, opts?: pulumi.InvokeOptions): Promise<{ v?: string }> {
        return pulumi.runtime.invoke("lab:mod/lookup:lookup", { v: args?.v }, opts || {});
    }

    export function lookupOutput(
        args?: { v?: pulumi.Input<string | undefined> },
        opts?: pulumi.InvokeOutputOptions,
    ): pulumi.Output<{ v?: string }> {
        return pulumi.runtime.invokeOutput("lab:mod/lookup:lookup", { v: args?.v }, opts || {});
    }
}

pulumi.runtime.registerResourceModule("lab", "index", {
    version: "2.1.0",
    construct: (name, type, urn) => {
        switch (type) {
            case "lab:index:Box":
                return new Box(name, undefined, { urn });
            case "lab:index:Group":
                return new Group(name, undefined, { urn });
            default:
                throw new Error(`unknown resource type ${type}`);
        }
    },
});
