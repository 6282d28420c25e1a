//! Packages of components that are written in PCL: a directory with a `PulumiPlugin.yaml` whose
//! runtime is `pcl`. Each directory of program files below it is a component, and the schema of the
//! package follows from their `config` and `output` blocks.
//!
//! ```
//! use pcl::{ComponentPackage, Settings, Workspace};
//!
//! let root = tempfile::tempdir()?;
//! let part = root.path().join("web-site");
//! std::fs::create_dir(&part)?;
//! let options = "{ name: shop, version: 1.2.0 }";
//! let manifest = format!("runtime:\n  name: pcl\n  options: {options}\n");
//! std::fs::write(root.path().join("PulumiPlugin.yaml"), manifest)?;
//! std::fs::write(part.join("main.pp"), "config \"size\" \"int\" {\n  default = 3\n}\n")?;
//!
//! let package = ComponentPackage::find(root.path()).unwrap();
//! assert_eq!((package.name(), package.components().len()), ("shop", 1));
//! let inferred = package.infer(&Workspace::new(Settings::default()));
//! assert!(inferred.is_valid());
//! assert!(inferred.schema.contains("\"shop:index:WebSite\""));
//! # Ok::<(), std::io::Error>(())
//! ```

mod infer;
mod interface_clash;
mod interface_types;
mod local_packages;
mod manifest;
mod package;
mod package_root;
mod public_interface;
mod schema_document;

pub use infer::Inferred;
pub(crate) use local_packages::LocalPackage;
pub(crate) use manifest::PLUGIN_FILE;
pub use package::{Component, ComponentPackage};
pub(crate) use public_interface::{Interface, InterfaceCheck};
