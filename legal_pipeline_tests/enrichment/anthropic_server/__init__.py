"""A local HTTP server that speaks the Anthropic API: Messages (streamed or not), token counts and Message Batches.

It answers every task of the pipeline rightly, keeps account of what it would bill, and fails in all the ways that a test asks for.
Not here: any code of the pipeline; what a request asks is read out of its body alone.
"""

from legal_pipeline_tests.enrichment.anthropic_server.answers import a_prefix
from legal_pipeline_tests.enrichment.anthropic_server.bodies import data_blocks, task_of
from legal_pipeline_tests.enrichment.anthropic_server.server import AnthropicServer
from legal_pipeline_tests.enrichment.anthropic_server.state import KEY, Fault, Received

__all__ = ["KEY", "AnthropicServer", "Fault", "Received", "a_prefix", "data_blocks", "task_of"]
